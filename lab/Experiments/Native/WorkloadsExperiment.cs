using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>Programs that mainly allocate, with our heap and with the allocators written in C.</summary>
internal sealed class WorkloadsExperiment : IExperiment
{
    private const string TimeGroup = "Allocator workloads, time";
    private const string PeakGroup = "Allocator workloads, peak memory";
    private const int QuickRounds = 3;
    private const int FullRounds = 5;
    private const int IdleRounds = 1;
    private const double LargestShareKept = 0.05;

    // A share of a smaller peak would mostly reflect the runtime's own memory.
    private const double PeakWorthAShare = 16 << 20;
    private static readonly TimeSpan s_idle = 2 * WorkloadJob.IdleTimeout;

    public string Id => "workloads";

    public string Title => "Allocator workloads";

    public double QuickSeconds => 60;

    public double FullSeconds => 900;

    public ExperimentResult Run(ExperimentContext context)
    {
        Random random = context.CreateRandom();
        string[] contenders = [.. NativeContenders.All.Select(contender => contender.Name).Where(name => context.IsFull || IsQuick(name))];
        string[] idling = [NativeNames.TarnHeapInstance, .. contenders.Where(name => name != NativeNames.TarnHeap)];
        int idleRounds = context.IsFull ? IdleRounds : 0;
        int rounds = context.IsFull ? FullRounds : QuickRounds;
        double runs = NativeWorkloads.All.Count * contenders.Length * (double)(rounds + idleRounds);
        int done = 0;
        void OnRun() => context.Report(++done / runs);

        WorkloadRounds Measure(NativeWorkloadEntry entry, string[] names, int count, double length, TimeSpan idle)
        {
            var settings = new WorkloadSettings { Length = length, Seed = context.SeedOffset };
            return WorkloadRounds.Measure(
                entry, names, names[0], count, random, name => WorkloadJob.Start(entry.Name, name, settings, idle), OnRun);
        }

        List<WorkloadRounds> measured =
        [
            .. NativeWorkloads.All.Select(entry =>
                Measure(entry, contenders, rounds, context.IsFull ? entry.FullLength : entry.QuickLength, TimeSpan.Zero)),
        ];
        List<WorkloadRounds> idled =
        [
            .. NativeWorkloads.All.Take(idleRounds > 0 ? int.MaxValue : 0).Select(entry =>
                Measure(entry, idling, idleRounds, entry.QuickLength, s_idle)),
        ];

        return new ExperimentResult(Describe(measured, contenders, idled, idling))
        {
            Comparisons =
            [
                .. Comparable(measured).Select(workload => workload.CompareTimes(NativeNames.TarnHeap, NativeNames.Mimalloc, TimeGroup)),
                .. Comparable(measured).Select(workload => workload.ComparePeaks(NativeNames.TarnHeap, NativeNames.Mimalloc, PeakGroup)),
            ],
            Figures = [.. idled.Select(ToShareKept).OfType<Figure>()],
        };
    }

    private static bool IsQuick(string name) =>
        name == NativeNames.TarnHeap || name == NativeNames.Mimalloc || name == NativeNames.CLibrary;

    private static IEnumerable<WorkloadRounds> Comparable(IEnumerable<WorkloadRounds> measured) =>
        measured.Where(workload => workload.Has(NativeNames.Mimalloc));

    private static Figure? ToShareKept(WorkloadRounds workload)
    {
        double peak = workload.Median(NativeNames.TarnHeapInstance, run => run.PeakBytes)!.Value;
        double kept = workload.Median(NativeNames.TarnHeapInstance, run => run.IdleBytes!.Value)!.Value;
        return peak < PeakWorthAShare ? null : new Figure
        {
            Id = $"workloads-{workload.Workload.Name}-kept",
            Title = $"Resident after {workload.Workload.Name} and twice the idle timeout, share of its peak",
            Value = Math.Max(0, kept) / peak,
            Unit = "",
            Bound = LargestShareKept,
        };
    }

    private Section Describe(List<WorkloadRounds> measured, string[] contenders, List<WorkloadRounds> idled, string[] idling) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Programs with which authors of allocators measure their work, rewritten in C# and compiled separately for each allocator. "
            + "Every run is a process of its own, after short passes that warm up the code; a round runs each allocator once, in random "
            + "order. The C allocators are called through pointers, as a C program would call them. Children run without profile-guided "
            + "compilation (DOTNET_TieredPGO=0): a profile of the short passes would differ in each process. Tarn's heap frees with sizes, "
            + "as its users do. docs/lab.md describes each workload."
            + NativePeers.DescribeMissing()
            + string.Concat(measured.Concat(idled).SelectMany(workload => workload.Failures).Select(failure => " " + failure)),
        Charts = [.. ToChart(measured, contenders)],
        Tables =
        [
            ToTable(
                "workloads-times", "Time for one operation",
                "Wall time, divided by the operations of all threads.",
                ColumnKind.Nanoseconds, measured, contenders, run => run.NanosecondsPerOperation),
            ToTable(
                "workloads-peak", "Peak memory", "The most resident memory during the run, minus the memory before. Below 1 MiB it "
                    + "is mostly thread stacks; comparisons count such a peak as 1 MiB.",
                ColumnKind.Bytes, measured, contenders, run => run.PeakBytes),
            ToTable(
                "workloads-freed", "What stays, at once", "Resident memory right after every block was freed, minus the memory before.",
                ColumnKind.Bytes, measured, contenders, run => run.FreedBytes),
            .. idled.Count == 0 ? Enumerable.Empty<Table>() :
            [
                ToTable(
                    "workloads-idle", "What stays after idling",
                    $"The same {s_idle.TotalSeconds:0} s later, with no calls in between, after runs of the quick length. Tarn's heap is "
                        + $"here a separate one with an idle timeout of {WorkloadJob.IdleTimeout.TotalSeconds:0} s; peers have their "
                        + "default settings.",
                    ColumnKind.Bytes, idled, idling, run => run.IdleBytes!.Value),
            ],
        ],
    };

    private static Table ToTable(
        string id,
        string title,
        string note,
        ColumnKind kind,
        List<WorkloadRounds> measured,
        string[] contenders,
        Func<WorkloadMeasurement, double> value) => new()
        {
            Id = id,
            Title = title,
            Note = "Medians. " + note,
            Columns =
            [
                new Column("Workload", ColumnKind.Text),
                new Column("Operation", ColumnKind.Text),
                .. contenders.Select(name => new Column(name, kind)),
            ],
            Rows =
            [
                .. measured.Select(workload => (IReadOnlyList<object?>)
                    [
                        workload.Workload.Name,
                        workload.Workload.Operation,
                        .. contenders.Select(name => (object?)workload.Median(name, value)),
                    ]),
            ],
        };

    private static IEnumerable<Chart> ToChart(List<WorkloadRounds> measured, string[] contenders)
    {
        List<WorkloadRounds> comparable = [.. Comparable(measured)];
        if (comparable.Count == 0)
        {
            yield break;
        }

        yield return new Chart
        {
            Id = "workloads-times-chart",
            Title = "Time, relative to mimalloc's",
            Description = "Bars of each allocator's time for each workload, divided by mimalloc's; shorter is faster.",
            Kind = ChartKind.Bars,
            X = new Axis("Workload", "", Logarithmic: false),
            Y = new Axis("Time ÷ mimalloc's", "ratio", Logarithmic: false),
            Categories = [.. comparable.Select(workload => workload.Workload.Name)],
            Series =
            [
                .. contenders.Where(name => name != NativeNames.Mimalloc).Select(name => new Series(
                    name,
                    PoolNames.RoleOf(name),
                    [.. comparable.SelectMany((workload, index) =>
                        RelativeTime(workload, name) is { } ratio ? [new Point(index, ratio)] : Array.Empty<Point>())])),
            ],
        };
    }

    private static double? RelativeTime(WorkloadRounds workload, string name) =>
        workload.Median(name, run => run.NanosecondsPerOperation)
            / workload.Median(NativeNames.Mimalloc, run => run.NanosecondsPerOperation);
}
