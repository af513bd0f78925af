using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Checking;

/// <summary>Something wrong at a call site, in one or several processes of a program.</summary>
internal sealed record Problem
{
    public required ProblemKind Kind { get; init; }

    /// <summary>The methods that identify the problem in all runs: <see cref="CallSite.Identity"/>.</summary>
    public required string Site { get; init; }

    /// <summary>The buffers lost, or the returns too many.</summary>
    public required long Count { get; init; }

    public Certainty Certainty { get; init; } = Certainty.Likely;

    /// <summary>Whether it fails a check: what is only possible would fail it at random, unless that is asked for.</summary>
    public bool Fails { get; init; } = true;

    public string Message { get; init; } = "";

    /// <summary>The tests it happened in, with how often; those that are known, and none unless they are asked for.</summary>
    public IReadOnlyList<TestCount> Tests { get; init; } = [];

    /// <summary>The message, with the tests.</summary>
    public string FullMessage => Tests.Count == 0 ? Message : $"{Message} {Words.Tests(Tests)}";

    /// <summary>The frames of its stack, the innermost first.</summary>
    public IReadOnlyList<StackFrame> Frames { get; init; } = [];

    /// <summary>The innermost calls of the program's own methods, as methods with lines, where these are known.</summary>
    public IReadOnlyList<string> Calls { get; init; } = [];

    /// <summary>The problem as a baseline has it.</summary>
    public KnownProblem Known => new() { Kind = Kind, Site = Site, Calls = Calls };

    /// <summary>The line that a reader can change: the innermost whose source is on this machine; null if there is none.</summary>
    public (string File, int Line)? Place(SourceTree sources)
    {
        foreach (StackFrame frame in Frames)
        {
            if (sources.Find(frame) is { } file)
            {
                return (file, frame.Line);
            }
        }

        return null;
    }

    /// <summary>The problems of all processes; the same one in several processes, or in code compiled twice, is one.</summary>
    public static IReadOnlyList<Problem> Of(IEnumerable<Findings> processes) => Merge(processes.SelectMany(Of));

    /// <summary>Joins problems that are one, and puts the most important first.</summary>
    public static IReadOnlyList<Problem> Merge(IEnumerable<Problem> problems)
    {
        List<Problem> merged = [];
        foreach (Problem one in problems.OrderByDescending(one => one.Site.Split(CallSite.From).Length)
            .ThenByDescending(one => one.Calls.Count).ThenByDescending(one => one.Count))
        {
            int at = merged.FindIndex(other => other.Known.Is(one.Known));
            if (at < 0)
            {
                merged.Add(one);
                continue;
            }

            Problem other = merged[at];
            Problem told = (one.Certainty, one.Count).CompareTo((other.Certainty, other.Count)) > 0 ? one : other;
            Problem deeper = one.Known.Identity.IsDeeperThan(other.Known.Identity) ? one : other;
            merged[at] = told with
            {
                Site = deeper.Site,
                Calls = deeper.Calls,
                Count = one.Count + other.Count,
                Tests = TestCount.Sum(one.Tests.Concat(other.Tests)),
            };
        }

        return
        [
            .. merged.OrderByDescending(problem => problem.Certainty).ThenBy(problem => problem.Kind)
                .ThenByDescending(problem => problem.Count),
        ];
    }

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
            Site = site.Identity.Methods,
            Count = count,
            Certainty = certainty,
            Fails = certainty == Certainty.Likely,
            Message = message,
            Tests = tests,
            Frames = site.Frames,
            Calls = site.Identity.Calls,
        };
}
