namespace Tarn.Tool.Checking;

/// <summary>The kinds of problems as build servers show them: an id and a sentence for each.</summary>
internal static class ProblemRules
{
    /// <summary>All kinds.</summary>
    public static IReadOnlyList<(ProblemKind Kind, string Id, string Text)> All { get; } =
    [
        (ProblemKind.Lost, "buffer-lost", "A rented buffer does not come back to its pool."),
        (ProblemKind.ReturnedTwice, "buffer-returned-twice", "A buffer is returned that was returned before."),
        (ProblemKind.NeverRented, "buffer-never-rented", "An array is returned to a pool that never handed it out."),
        (ProblemKind.WrongPool, "buffer-returned-elsewhere", "A buffer is returned to another pool than the one it came from."),
        (ProblemKind.WrittenAfterReturn, "buffer-written-after-return", "A buffer is written after its return."),
        (ProblemKind.Held, "buffer-held", "A buffer is not returned when the process ends."),
    ];

    /// <summary>The id of a kind of problem.</summary>
    public static string IdOf(ProblemKind kind) => All.Single(rule => rule.Kind == kind).Id;
}
