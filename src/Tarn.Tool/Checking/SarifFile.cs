using System.Text.Json;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Checking;

/// <summary>Problems as SARIF 2.1.0, which code hosts show at the lines.</summary>
internal static class SarifFile
{
    private static readonly (ProblemKind Kind, string Id, string Text)[] s_rules =
    [
        (ProblemKind.Lost, "buffer-lost", "A rented buffer does not come back to its pool."),
        (ProblemKind.ReturnedTwice, "buffer-returned-twice", "A buffer is returned that was returned before."),
        (ProblemKind.NeverRented, "buffer-never-rented", "An array is returned to a pool that never handed it out."),
    ];

    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <param name="problems">The problems beyond the baseline.</param>
    /// <param name="root">The folder that paths are relative to.</param>
    public static string Write(IReadOnlyList<Problem> problems, string root) => JsonSerializer.Serialize(
        new Dictionary<string, object>
        {
            ["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json",
            ["version"] = "2.1.0",
            ["runs"] = new[]
            {
                new
                {
                    tool = new
                    {
                        driver = new
                        {
                            name = "tarn",
                            rules = s_rules.Select(rule => new { id = rule.Id, shortDescription = new { text = rule.Text } }),
                        },
                    },
                    results = problems.Select(problem => Result(problem, root)),
                },
            },
        },
        s_options);

    /// <summary>The id of a kind of problem.</summary>
    public static string IdOf(ProblemKind kind) => s_rules.Single(rule => rule.Kind == kind).Id;

    private static object Result(Problem problem, string root) => new
    {
        ruleId = IdOf(problem.Kind),
        level = problem.Certainty == Certainty.Likely ? "error" : "note",
        message = new { text = problem.FullMessage },
        locations = problem.Place is { Line: > 0 } place ? [Location(place, root)] : Array.Empty<object>(),
        stacks = new[] { new { frames = problem.Frames.Select(frame => new { location = Location(frame, root) }) } },
        partialFingerprints = new Dictionary<string, string> { ["site/v1"] = problem.Site },
        properties = new { tests = problem.Tests.Select(one => one.Test) },
    };

    private static object Location(StackFrame frame, string root) => frame.Line > 0
        ? new
        {
            physicalLocation = new { artifactLocation = new { uri = UriOf(frame.File, root) }, region = new { startLine = frame.Line } },
            logicalLocations = new[] { new { fullyQualifiedName = frame.Method } },
        }
        : new { logicalLocations = new[] { new { fullyQualifiedName = frame.Method } } };

    /// <summary>Relative below the root, so that a server finds the file in its checkout.</summary>
    private static string UriOf(string file, string root)
    {
        string relative = Path.GetRelativePath(root, file);
        return relative.StartsWith("..", StringComparison.Ordinal) || Path.IsPathRooted(relative)
            ? Uri.TryCreate(file, UriKind.Absolute, out Uri? absolute) ? absolute.AbsoluteUri : Uri.EscapeDataString(file)
            : string.Join('/', relative.Split(Path.DirectorySeparatorChar).Select(Uri.EscapeDataString));
    }
}
