using System.Text.Json;
using System.Xml.Linq;
using Tarn.Lab.Tests;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Checking;

/// <summary>The places of problems: lines that the reader has, and no others.</summary>
public class ProblemFilesTests
{
    private static readonly StackFrame s_library = new("new Toolkit.MemoryOwner<double>", "Toolkit", "/_/src/MemoryOwner.cs", 40);

    [Fact]
    public void A_problem_is_at_the_innermost_line_whose_source_is_here()
    {
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.File("Reader.cs"), "");
        var sources = new SourceTree(folder.Path);
        Problem problem = ProblemAt(s_library, new StackFrame("App.Reader.Read", "App", "/_/Reader.cs", 12));

        using JsonDocument sarif = JsonDocument.Parse(SarifFile.Write([problem], sources));
        JsonElement result = sarif.RootElement.GetProperty("runs")[0].GetProperty("results")[0];
        JsonElement place = result.GetProperty("locations")[0].GetProperty("physicalLocation");
        JsonElement[] frames = [.. result.GetProperty("stacks")[0].GetProperty("frames").EnumerateArray()];

        Assert.Equal("Reader.cs", place.GetProperty("artifactLocation").GetProperty("uri").GetString());
        Assert.Equal(12, place.GetProperty("region").GetProperty("startLine").GetInt32());
        Assert.False(frames[0].GetProperty("location").TryGetProperty("physicalLocation", out _));
        Assert.True(frames[1].GetProperty("location").TryGetProperty("physicalLocation", out _));
        Assert.Equal("12", XDocument.Parse(JUnitFile.Write([problem], sources)).Descendants("testcase").Single().Attribute("line")!.Value);
        Assert.StartsWith($"{folder.File("Reader.cs")}(12): error buffer-lost: ", new ProblemFiles(null, null, null, sources).Line(problem),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_problem_without_a_source_here_has_no_place()
    {
        var sources = new SourceTree(Path.GetTempPath());
        Problem problem = ProblemAt(s_library);

        Assert.DoesNotContain("/_/", SarifFile.Write([problem], sources), StringComparison.Ordinal);
        Assert.StartsWith("error buffer-lost: ", new ProblemFiles(null, null, null, sources).Line(problem), StringComparison.Ordinal);
    }

    [Fact]
    public void What_does_not_fail_the_check_is_a_note_and_no_failed_test()
    {
        var sources = new SourceTree(Path.GetTempPath());
        Problem problem = ProblemAt(s_library) with { Fails = false };

        Assert.Contains("\"level\": \"note\"", SarifFile.Write([problem], sources), StringComparison.Ordinal);
        Assert.Empty(XDocument.Parse(JUnitFile.Write([problem], sources)).Descendants("failure"));
    }

    private static Problem ProblemAt(params StackFrame[] frames) =>
        new() { Kind = ProblemKind.Lost, Site = "site", Count = 1, Message = "A message.", Frames = frames };
}
