using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Replay;
using Tarn.Traces;

namespace Tarn.Lab.Experiments.Loads;

/// <summary>The rents of programs from outside the project, replayed on every pool.</summary>
internal sealed class TracesExperiment : IExperiment
{
    private const string Group = "Recorded programs";
    private const double TimeTarget = 0.8;
    private const double AllocatedBound = 0.01;
    private const int SmallestBclLength = 16;

    /// <summary>The trace whose model generates another one.</summary>
    private const string Modelled = "http2";

    private static readonly string[] s_pools = [PoolNames.TarnInstance, PoolNames.BclShared, PoolNames.BclCreated];

    public string Id => "traces";

    public string Title => "Recorded programs";

    public double QuickSeconds => 16;

    public double FullSeconds => 120;

    /// <summary>Names as ids have them, in the order of the tables.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. TraceLibrary.Names, Modelled + "-generated"];

    public ExperimentResult Run(ExperimentContext context)
    {
        var results = new List<TraceResult>();
        foreach (string name in Names)
        {
            results.Add(Replay(name, context));
            context.Report(results.Count / (double)Names.Count);
        }

        return new ExperimentResult(TracesSection.Describe(Id, Title, results))
        {
            Comparisons =
            [
                .. results.Select(one => one.Times.Compare(
                    0, one.Times.Fastest(1, 2), $"{Id}-{one.Name}", Group, $"Replay of {one.Name}", TimeTarget)),
            ],
            Figures =
            [
                .. results.Select(one => new Figure
                {
                    Id = $"{Id}-allocated-{one.Name}",
                    Title = $"Newly allocated while {one.Name} is replayed, share of the bytes rented",
                    Value = one.Memory[0].Allocated,
                    Unit = "",
                    Bound = AllocatedBound,
                }),
                .. results.Select(one => new Figure
                {
                    Id = $"{Id}-retained-{one.Name}",
                    Title = $"Retained after {one.Name}, of three times the peak in use and 1 MiB",
                    Value = one.Memory[0].RetainedOfAllowed,
                    Unit = "",
                    Bound = 1,
                }),
            ],
        };
    }

    private static TraceResult Replay(string name, ExperimentContext context)
    {
        int seed = context.CreateRandom().Next();
        BufferTrace trace = Read(name, seed);
        var program = new ReplayProgram(trace, seed);
        using var crew = new Crew(program.Threads);
        Trial[] pools =
        [
            new Replayer<TarnInstance>(s_pools[0], program, crew, new(BufferPool<byte>.Create())),
            new Replayer<BclShared>(s_pools[1], program, crew, default),
            new Replayer<BclCreated>(s_pools[2], program, crew, new(Create(program))),
        ];
        var floor = new Replayer<NoPool>("no pool", program, crew, default);
        RoundSettings rounds = context.IsFull
            ? new RoundSettings(31, TimeSpan.FromMilliseconds(40))
            : new RoundSettings(11, TimeSpan.FromMilliseconds(8));
        (RoundSamples times, double least) = ReplayTimes.Measure(pools, floor, rounds, context.CreateRandom());

        int passes = context.IsFull ? 10 : 2;
        PoolMemory[] memory =
        [
            PoolMemory.Measure(program, crew, new TarnInstance(BufferPool<byte>.Create()), passes),
            PoolMemory.Measure(program, crew, default(BclShared), passes),
            PoolMemory.Measure(program, crew, new BclCreated(Create(program)), passes),
        ];
        return new TraceResult(name, trace, program, times, least, memory);
    }

    private static BufferTrace Read(string name, int seed)
    {
        if (TraceLibrary.Names.Contains(name))
        {
            return TraceLibrary.Read(name);
        }

        BufferTrace modelled = TraceLibrary.Read(Modelled);
        return TraceModel.Of(modelled).Generate(modelled.Events.Length, seed);
    }

    /// <summary>
    /// Creates a pool with the best settings: room for every length the program rents, and for the most buffers it has of each.
    /// </summary>
    private static ArrayPool<byte> Create(ReplayProgram program) =>
        ArrayPool<byte>.Create(Math.Max(SmallestBclLength, program.LargestLength), program.MostOfALength);
}
