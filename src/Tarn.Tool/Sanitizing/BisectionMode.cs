namespace Tarn.Tool.Sanitizing;

/// <summary>A change to buffers that a correct program does not notice.</summary>
/// <param name="Key">The option that makes it.</param>
/// <param name="OfReturns">Whether the place that returns a buffer selects it; else the place that rents it.</param>
/// <param name="Fault">What a program that fails because of it does wrong; {0} stands for the place.</param>
internal sealed record BisectionMode(string Key, bool OfReturns, string Fault)
{
    public static IReadOnlyList<BisectionMode> All { get; } =
    [
        new("poison", true, "The program fails when buffers returned by {0} are poisoned: they are read after their return."),
        new("poison-rents", false, "The program fails when buffers rented by {0} are poisoned: it relies on zeros that it did not write."),
        new("exact", false, "The program fails when buffers rented by {0} are as long as it asked for: it relies on more."),
    ];

    /// <summary>The options of a run in which this change alone is made, to a range of places.</summary>
    public string Options(string range) => string.Join(':', All.Select(mode => $"{mode.Key}={(mode == this ? range : "off")}"));
}
