using System.Text.Json;
using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Checking;

/// <summary>Problems as SARIF 2.1.0, which code hosts show at the lines.</summary>
internal static class SarifFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <param name="problems">The problems beyond the baseline.</param>
    /// <param name="sources">Where sources are: files that are not there have no place in the result.</param>
    public static string Write(IReadOnlyList<Problem> problems, SourceTree sources) => ForeignText.Json(JsonSerializer.Serialize(
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
                            rules = ProblemRules.All.Select(rule => new { id = rule.Id, shortDescription = new { text = rule.Text } }),
                        },
                    },
                    results = problems.Select(problem => Result(problem, sources)),
                },
            },
        },
        s_options));

    private static object Result(Problem problem, SourceTree sources) => new
    {
        ruleId = ProblemRules.IdOf(problem.Kind),
        level = problem.Fails ? "error" : "note",
        message = new { text = problem.FullMessage },
        locations = problem.Place(sources) is { } place
            ? [new { physicalLocation = Location(place.File, place.Line, sources) }]
            : Array.Empty<object>(),
        stacks = new[]
        {
            new
            {
                message = new { text = problem.Kind == ProblemKind.Lost ? "Rented here." : "Returned here." },
                frames = problem.Frames.Select(frame => new { location = Location(frame, sources) }),
            },
        },
        partialFingerprints = new Dictionary<string, string> { ["site/v2"] = $"{ProblemRules.IdOf(problem.Kind)}: {problem.Site}" },
        properties = new { tests = problem.Tests.Select(one => one.Test) },
    };

    private static object Location(StackFrame frame, SourceTree sources)
    {
        var logical = new[] { new { fullyQualifiedName = CallSite.Text(frame with { Line = 0 }) } };
        return sources.Find(frame) is { } file
            ? new { physicalLocation = Location(file, frame.Line, sources), logicalLocations = logical }
            : new { logicalLocations = logical };
    }

    private static object Location(string file, int line, SourceTree sources) =>
        new { artifactLocation = new { uri = UriOf(file, sources.Folder) }, region = new { startLine = line } };

    /// <summary>Relative below the root, so that a server finds the file in its checkout.</summary>
    private static string UriOf(string file, string root)
    {
        string relative = Path.GetRelativePath(root, file);
        return relative.StartsWith("..", StringComparison.Ordinal) || Path.IsPathRooted(relative)
            ? new Uri(file).AbsoluteUri
            : string.Join('/', relative.Split(Path.DirectorySeparatorChar).Select(Uri.EscapeDataString));
    }
}
