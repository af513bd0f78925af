using Tarn.Sanitizing.Checking;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;
using Tarn.Tool.Sanitizing;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Sanitizing;

/// <summary>Which incidents are errors, and which of them are one.</summary>
public class SanitizerFindingTests
{
    private static readonly StackFrame s_framework = new("System.Text.Json.JsonDocument.Parse", "System.Text.Json");
    private static readonly StackFrame s_own = new("App.Reads", "App", "App.cs", 7);

    [Theory]
    [InlineData(IncidentKind.Held, "own", false)]
    [InlineData(IncidentKind.Lost, "own", true)]
    [InlineData(IncidentKind.Lost, "framework", false)]
    [InlineData(IncidentKind.Lost, "framework own", true)]
    [InlineData(IncidentKind.Lost, "", true)]
    [InlineData(IncidentKind.ReturnedTwice, "framework", true)]
    [InlineData(IncidentKind.WriteAfterReturn, "framework", true)]
    [InlineData(IncidentKind.NeverRented, "", true)]
    internal void What_is_held_or_lost_by_the_framework_alone_is_told_and_fails_nothing(IncidentKind kind, string frames, bool fails)
    {
        SanitizerFinding finding = Assert.Single(SanitizerFinding.Of(Incident(kind, Stack(frames))));

        Problem problem = finding.ToProblem(withTests: false);
        Assert.Equal((fails, fails), (finding.Fails, problem.Fails));
        Assert.Equal(fails ? Certainty.Likely : Certainty.Possible, problem.Certainty);
        Assert.Equal(1, problem.Count);
    }

    [Fact]
    public void Incidents_at_the_same_four_methods_are_one_finding_and_errors_come_first()
    {
        StackFrame[] four = [s_own, Own("B"), Own("C"), Own("D")];

        IReadOnlyList<SanitizerFinding> findings = SanitizerFinding.Of(
            Incident(IncidentKind.Held, [s_own]),
            Incident(IncidentKind.Lost, [.. four, Own("E")]),
            Incident(IncidentKind.Lost, [s_framework, .. four, Own("F")]),
            Incident(IncidentKind.Lost, [.. four[..3], Own("G")]),
            Incident(IncidentKind.ReturnedTwice, four));

        Assert.Equal(
            [(IncidentKind.Lost, 2), (IncidentKind.Lost, 1), (IncidentKind.ReturnedTwice, 1), (IncidentKind.Held, 1)],
            findings.Select(static one => (one.Kind, one.Count)));
        Assert.Equal("App.Reads ← App.B ← App.C ← App.D", findings[0].Site);
        Assert.Equal(200, findings[0].Bytes);
    }

    [Theory]
    [InlineData("own", "App.Reads in App.cs:7 rented")]
    [InlineData("framework own", "System.Text.Json.JsonDocument.Parse ← App.Reads in App.cs:7 rented")]
    [InlineData("framework", "System.Text.Json.JsonDocument.Parse rented")]
    [InlineData("", "Someone, of ArrayPool<Byte>.Shared, rented")]
    public void A_finding_is_named_after_the_innermost_method_and_the_first_of_the_program(string frames, string begin) =>
        Assert.StartsWith(begin, SanitizerFinding.Of(Incident(IncidentKind.Lost, Stack(frames)))[0].Sentence, StringComparison.Ordinal);

    [Fact]
    public void A_finding_without_a_stack_is_known_by_its_pool_and_length()
    {
        SanitizerFinding finding = SanitizerFinding.Of(Incident(IncidentKind.Lost, []))[0];

        Assert.Equal("ArrayPool<Byte>.Shared, length 50", finding.Site);
        Assert.Empty(finding.ToProblem(withTests: true).Calls);
    }

    [Fact]
    public void A_wrong_return_is_named_after_itself_and_says_where_the_first_was()
    {
        ReportedIncident twice = Incident(IncidentKind.ReturnedTwice, [Own("Rents")]) with { At = [s_own], Returned = [Own("Returns")] };

        string sentence = SanitizerFinding.Of(twice)[0].Sentence;

        Assert.Equal("App.Reads in App.cs:7 returned 1 buffer of Byte a second time. The first return: App.Returns.", sentence);
    }

    private static StackFrame Own(string method) => new($"App.{method}", "App");

    private static StackFrame[] Stack(string frames) =>
        [.. frames.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(static frame => frame == "own" ? s_own : s_framework)];

    private static ReportedIncident Incident(IncidentKind kind, StackFrame[] rented) => new()
    {
        Process = 1,
        Kind = kind,
        Pool = "ArrayPool<Byte>.Shared",
        Element = "Byte",
        Length = 50,
        Detail = "",
        Bytes = 100,
        Rented = rented,
    };
}
