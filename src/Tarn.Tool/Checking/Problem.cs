using System.Text.Json.Serialization;
using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Checking;

/// <summary>Something wrong at a call site, in one or several processes of a program.</summary>
internal sealed record Problem
{
    public required ProblemKind Kind { get; init; }

    /// <summary>
    /// What identifies the problem in a baseline: the methods of its innermost frames. Lines are not part of it, because every edit above
    /// moves them.
    /// </summary>
    public required string Site { get; init; }

    /// <summary>The buffers lost, or the returns too many.</summary>
    public required long Count { get; init; }

    [JsonIgnore]
    public Certainty Certainty { get; init; } = Certainty.Likely;

    [JsonIgnore]
    public string Message { get; init; } = "";

    /// <summary>The tests it happened in, with how often; those that are known, and none unless they are asked for.</summary>
    [JsonIgnore]
    public IReadOnlyList<TestCount> Tests { get; init; } = [];

    /// <summary>The message, with the tests.</summary>
    [JsonIgnore]
    public string FullMessage => Tests.Count == 0 ? Message : $"{Message} {Words.Tests(Tests)}";

    /// <summary>The frames of its stack, the innermost first.</summary>
    [JsonIgnore]
    public IReadOnlyList<StackFrame> Frames { get; init; } = [];

    /// <summary>The frame that a reader can change: the innermost with a source line, else the innermost.</summary>
    [JsonIgnore]
    public StackFrame? Place => Frames.FirstOrDefault(frame => frame.Line > 0) ?? (Frames.Count > 0 ? Frames[0] : null);

    /// <summary>The problems of all processes; the same one in several processes is one.</summary>
    public static IReadOnlyList<Problem> Of(IEnumerable<Findings> processes) =>
    [
        .. processes.SelectMany(Of)
            .GroupBy(problem => (problem.Kind, problem.Site))
            .Select(group => group.MaxBy(problem => (problem.Certainty, problem.Count))! with
            {
                Count = group.Sum(one => one.Count),
                Tests = TestCount.Sum(group.SelectMany(one => one.Tests)),
            })
            .OrderByDescending(problem => problem.Certainty).ThenBy(problem => problem.Kind).ThenByDescending(problem => problem.Count),
    ];

    private static IEnumerable<Problem> Of(Findings findings) =>
    [
        .. findings.Lost.Select(site => Of(
            ProblemKind.Lost,
            site.Site,
            site.Certainty,
            site.Tests,
            site.Buffers,
            $"{site.Site.Name} rents buffers that do not come back ({Words.Bytes(site.Bytes)}). {Words.Evidence(site)}")),
        .. findings.ReturnedTwice.Select(site => Of(
            ProblemKind.ReturnedTwice,
            site.Site,
            site.Certainty,
            site.Tests,
            site.Times,
            $"{site.Site.Name} returned {Words.Count(site.Times, "buffer", "buffers")} a second time. "
            + $"The first return: {site.First.Name}.")),
        .. findings.NeverRented.Select(site => Of(
            ProblemKind.NeverRented,
            site.Site,
            Certainty.Likely,
            site.Tests,
            site.Times,
            $"{site.Site.Name} returned {Words.Count(site.Times, "array", "arrays")} that the pool never handed out.")),
    ];

    private static Problem Of(
        ProblemKind kind, CallSite site, Certainty certainty, IReadOnlyList<TestCount> tests, long count, string message) => new()
        {
            Kind = kind,
            Site = site.Frames.Count == 0 ? site.Name : string.Join(" < ", site.Frames.Take(CallSite.Depth).Select(frame => frame.Method)),
            Count = count,
            Certainty = certainty,
            Message = message,
            Tests = tests,
            Frames = site.Frames,
        };
}
