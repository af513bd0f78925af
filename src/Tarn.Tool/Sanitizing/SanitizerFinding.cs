using System.Globalization;
using Tarn.Sanitizing.Checking;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary>One fault: the incidents of a kind at a place, in all processes.</summary>
/// <param name="First">The incident that shows it.</param>
/// <param name="Count">How often it happened.</param>
/// <param name="Bytes">The size of the buffers.</param>
/// <param name="Tests">The tests it happened in.</param>
internal sealed record SanitizerFinding(ReportedIncident First, long Count, long Bytes, IReadOnlyList<TestCount> Tests)
{
    /// <summary>The program's own methods that identify a place: wrappers of a pool, which may be two deep, and their callers.</summary>
    private const int IdentifyingFrames = 4;

    /// <summary>The calls by which a baseline knows it where other methods were inlined.</summary>
    private const int KnownCalls = 3;

    public IncidentKind Kind => First.Kind;

    /// <summary>What identifies it in all runs: the program's own innermost methods.</summary>
    public string Site { get; } = SiteOf(First);

    /// <summary>The method that called the pool and, if that is the framework's, the first of the program.</summary>
    public string Name { get; } = NameOf(First);

    /// <summary>
    /// Whether it is an error. What is held at the end may be meant to be, and what the framework loses without the program's help its
    /// users cannot mend: both are told.
    /// </summary>
    public bool Fails => Kind != IncidentKind.Held && (Kind != IncidentKind.Lost || First.Main.Count == 0 || First.Main.Any(IsOwn));

    /// <summary>All findings, errors first, then as they were found.</summary>
    public static IReadOnlyList<SanitizerFinding> Of(IEnumerable<ReportedProcess> processes) =>
        Of([.. processes.SelectMany(process => process.Incidents)]);

    /// <summary>The findings that incidents make.</summary>
    public static IReadOnlyList<SanitizerFinding> Of(params ReportedIncident[] incidents) =>
    [
        .. incidents
            .GroupBy(incident => (incident.Kind, SiteOf(incident)))
            .Select(group => new SanitizerFinding(
                group.First(),
                group.Sum(one => one.Count),
                group.Sum(one => one.Bytes),
                TestCount.Sum(group.SelectMany(TestsOf))))
            .OrderByDescending(finding => finding.Fails),
    ];

    /// <summary>
    /// Whether a frame is the program's: neither of the framework nor of a test runner.
    /// </summary>
    public static bool IsOwn(StackFrame frame) => frame.Module.Length > 0 && !PlaceName.IsPlatform(frame.Module);

    /// <summary>The finding as the files of <c>tarn check</c> have it.</summary>
    public Problem ToProblem(bool withTests) => new()
    {
        Kind = KindOf(Kind),
        Site = Site,
        Count = Count,
        Certainty = Fails ? Certainty.Likely : Certainty.Possible,
        Fails = Fails,
        Calls =
        [
            .. First.Main.Where(IsOwn).Take(KnownCalls).TakeWhile(frame => frame.Line > 0)
                .Select(frame => string.Create(CultureInfo.InvariantCulture, $"{frame.Method}:{frame.Line}")),
        ],
        Message = $"{Sentence} {First.Detail}".TrimEnd(),
        Tests = withTests ? Tests : [],
        Frames = First.Main,
    };

    /// <summary>The finding in a sentence.</summary>
    public string Sentence
    {
        get
        {
            string buffers = Words.Count(Count, $"buffer of {First.Element}", $"buffers of {First.Element}");
            return Kind switch
            {
                IncidentKind.WriteAfterReturn => $"{Name} returned {buffers} that someone wrote to afterwards.",
                IncidentKind.ReturnedTwice => $"{Name} returned {buffers} a second time. The first return: {Innermost(First.Returned)}.",
                IncidentKind.NeverRented => $"{Name} returned {buffers} that no pool handed out.",
                IncidentKind.WrongPool => $"{Name} returned {buffers} to another pool than the one they came from.",
                IncidentKind.Lost => $"{Name} rented {buffers} ({Words.Bytes(Bytes)}) that were collected without a return.",
                _ => $"{Name} rented {buffers} ({Words.Bytes(Bytes)}) that were not returned when the process ended.",
            };
        }
    }

    private static string SiteOf(ReportedIncident incident)
    {
        StackFrame[] own = [.. incident.Main.Where(IsOwn)];
        IEnumerable<string> methods = (own.Length > 0 ? own : incident.Main.Take(1)).Select(frame => frame.Method);
        return incident.Main.Count == 0
            ? $"{incident.Pool}, length {incident.Length}"
            : string.Join(" ← ", methods.Distinct().Take(IdentifyingFrames));
    }

    private static string NameOf(ReportedIncident incident)
    {
        if (incident.Main.Count == 0)
        {
            return $"Someone, of {incident.Pool},";
        }

        StackFrame innermost = incident.Main[0];
        StackFrame? own = incident.Main.FirstOrDefault(IsOwn);
        return own is null || own == innermost ? CallSite.Text(innermost) : $"{CallSite.Text(innermost)} ← {CallSite.Text(own)}";
    }

    private static string Innermost(IReadOnlyList<StackFrame> stack) => stack.Count == 0 ? "unknown" : CallSite.Text(stack[0]);

    private static IEnumerable<TestCount> TestsOf(ReportedIncident incident)
    {
        string test = incident.Main.Concat(incident.Rented).Select(frame => frame.Test).FirstOrDefault(name => name.Length > 0) ?? "";
        return test.Length == 0 ? [] : [new TestCount(test, (int)Math.Min(incident.Count, int.MaxValue))];
    }

    private static ProblemKind KindOf(IncidentKind kind) => kind switch
    {
        IncidentKind.WriteAfterReturn => ProblemKind.WrittenAfterReturn,
        IncidentKind.ReturnedTwice => ProblemKind.ReturnedTwice,
        IncidentKind.NeverRented => ProblemKind.NeverRented,
        IncidentKind.WrongPool => ProblemKind.WrongPool,
        IncidentKind.Lost => ProblemKind.Lost,
        _ => ProblemKind.Held,
    };
}
