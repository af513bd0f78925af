namespace Tarn.Lab.Report.Outline;

/// <summary>The subjects of the report in reading order, each with the experiments that belong to it.</summary>
internal static class Subjects
{
    /// <summary>The subject of experiments that no other subject names.</summary>
    public const string Other = "Other work";

    private static readonly (string Title, string[] Experiments)[] s_all =
    [
        ("Programs and loads", ["traces", "loads", "requests", "tails", "kestrel", "kestrel-designs", "scale"]),
        ("Array pool",
        [
            "single", "lease", "deep", "threads", "handover", "random", "lossy", "many-types", "first-use", "slack", "idle", "slices",
            "budgets", "watched", "allocations", "net6-allocation", "large-arrays", "frame-allocation",
        ]),
        ("Native heap", ["native-pair", "kmalloc", "native-memory", "huge-pages", "shrinking", "workloads"]),
        ("Streams", ["streams", "stream-threads", "stream-users", "stream-growth"]),
        ("Writers", ["writers"]),
        ("Shared memory", ["ring", "one-way", "queue", "topic"]),
        ("Copying", ["copy", "copy-ways"]),
    ];

    /// <summary>The titles in reading order.</summary>
    public static IEnumerable<string> Titles => s_all.Select(subject => subject.Title).Append(Other);

    /// <summary>The subject of an experiment; <see langword="null"/> where no subject names it.</summary>
    public static string? OfExperiment(string id) => s_all.FirstOrDefault(subject => subject.Experiments.Contains(id)).Title;

    /// <summary>The subject of a comparison, whose id begins with its experiment's.</summary>
    public static string? OfComparison(string id) =>
        s_all.SelectMany(subject => subject.Experiments).Where(experiment => Begins(id, experiment)).MaxBy(experiment => experiment.Length)
            is { } longest ? OfExperiment(longest) : null;

    /// <summary>Whole words only: <c>streams-bulk</c> does not begin with <c>stream</c>.</summary>
    public static bool Begins(string id, string experiment) =>
        id.StartsWith(experiment, StringComparison.Ordinal) && (id.Length == experiment.Length || id[experiment.Length] == '-');
}
