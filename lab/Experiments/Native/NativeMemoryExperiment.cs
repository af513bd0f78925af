using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>
/// The costs of native memory besides the hot pair: an unused heap, memory after everything was freed, a growing buffer, a scope.
/// </summary>
internal sealed class NativeMemoryExperiment : IExperiment
{
    private const string Group = "Native heap, memory";
    private const double UnusedBound = 2 << 20;
    private const double FreedBound = 0.05;

    public string Id => "native-memory";

    public string Title => "Native memory: unused, freed, growing, scoped";

    public double QuickSeconds => 25;

    public double FullSeconds => 100;

    public ExperimentResult Run(ExperimentContext context)
    {
        IReadOnlyDictionary<string, double> unused = UnusedHeapJob.Start();
        context.Report(0.1);
        TimeSpan idleTimeout = TimeSpan.FromSeconds(context.IsFull ? 10 : 2);
        IReadOnlyList<MemoryCourse> freed = MeasureFreed(context, idleTimeout);
        context.Report(0.5);
        RoundSamples growth = MeasureGrowth(context);
        context.Report(0.9);
        RoundSamples scopes = MeasureScopes(context);

        return new ExperimentResult(Describe(new Found(idleTimeout, unused, freed, growth, scopes)))
        {
            Comparisons =
            [
                .. growth.CompareWith(
                    NativeNames.TarnHeap, growth.Contenders.Skip(1), "native-memory-growth", Group,
                    $"A buffer that grows from {ByteSize.Text(GrowingBuffer<TarnHeap>.From)} to "
                        + $"{ByteSize.Text(GrowingBuffer<TarnHeap>.To)}", _ => null),
                .. scopes.CompareWith(
                    NativeNames.TarnScope, scopes.Contenders.Skip(1), "native-memory-scope", Group,
                    $"{ScopedBlocks.Count} blocks of {ByteSize.Text(ScopedBlocks.Size)} from a scope", _ => null),
            ],
            Figures =
            [
                OfUnused("native-memory-unused-first", "An unused heap, the first of a process", unused[UnusedHeapJob.First]),
                OfUnused("native-memory-unused", "An unused heap, a further one", unused[UnusedHeapJob.Further]),
                .. freed.Select((memory, index) => new Figure
                {
                    Id = $"native-memory-freed-{(index == 0 ? "tarn" : NativeNames.Id(memory.Contender))}",
                    Title = $"Resident after everything was freed and idle, share of the peak, {memory.Contender}",
                    Value = memory.ShareAtEnd,
                    Unit = "",
                    Bound = index == 0 ? FreedBound : null,
                }),
            ],
        };
    }

    private static Figure OfUnused(string id, string title, double bytes) =>
        new() { Id = id, Title = title, Value = bytes, Unit = "B", Bound = UnusedBound };

    /// <summary>Measures all at the same time, because only their memory is measured, not their time, and they mostly sleep.</summary>
    private static MemoryCourse[] MeasureFreed(ExperimentContext context, TimeSpan idleTimeout)
    {
        TimeSpan load = TimeSpan.FromSeconds(context.IsFull ? 6 : 3);
        TimeSpan idle = (2 * idleTimeout) + TimeSpan.FromSeconds(1);
        int seed = context.CreateRandom().Next();
        // NativeMemory uses the C library's malloc, which has a line of its own.
        IEnumerable<string> peers = NativeContenders.Peers.Select(peer => peer.Name)
            .Where(name => name != NativeNames.NativeMemory || !NativePeers.CLibrary.IsPresent);
        Task<MemoryCourse>[] children =
        [
            .. peers.Prepend(NativeNames.TarnHeapInstance)
                .Select(
                    name => Task.Factory.StartNew(
                        () => new FreedMemoryJob().Start(name, idleTimeout, load, idle, seed), TaskCreationOptions.LongRunning)),
        ];
        return Task.WhenAll(children).GetAwaiter().GetResult();
    }

    private static RoundSamples MeasureGrowth(ExperimentContext context)
    {
        Trial[] trials = [.. CreateGrowing()];
        WarmUp.Run(trials, passes: 3);
        RoundSettings settings = context.IsFull ? new(21, TimeSpan.FromMilliseconds(100)) : new(5, TimeSpan.FromMilliseconds(1));
        return PairedRounds.Measure(trials, settings, context.CreateRandom());
    }

    private static IEnumerable<Trial> CreateGrowing()
    {
        yield return new LoopTrial<GrowingBuffer<TarnHeap>>(NativeNames.TarnHeap, default);
        yield return new LoopTrial<GrowingBuffer<NativeMemoryAllocator>>(NativeNames.NativeMemory, default);
        if (NativePeers.CLibrary.IsPresent)
        {
            yield return new LoopTrial<GrowingBuffer<GlibcMalloc>>(NativeNames.CLibrary, default);
        }

        if (NativePeers.Mimalloc.IsPresent)
        {
            yield return new LoopTrial<GrowingBuffer<Mimalloc>>(NativeNames.Mimalloc, default);
        }

        if (NativePeers.Jemalloc.IsPresent)
        {
            yield return new LoopTrial<GrowingBuffer<Jemalloc>>(NativeNames.Jemalloc, default);
        }

        if (NativePeers.Tcmalloc.IsPresent)
        {
            yield return new LoopTrial<GrowingBuffer<SizedFreeAllocator<Tcmalloc>>>(NativeNames.Tcmalloc, default);
        }

        if (NativePeers.Snmalloc.IsPresent)
        {
            yield return new LoopTrial<GrowingBuffer<SizedFreeAllocator<Snmalloc>>>(NativeNames.Snmalloc, default);
        }

        if (NativePeers.GoogleTcmalloc.IsPresent)
        {
            yield return new LoopTrial<GrowingBuffer<SizedFreeAllocator<GoogleTcmalloc>>>(NativeNames.GoogleTcmalloc, default);
        }
    }

    private static RoundSamples MeasureScopes(ExperimentContext context)
    {
        Trial[] trials =
        [
            new LoopTrial<ScopedBlocks>(NativeNames.TarnScope, new(NativeHeap.Shared), ScopedBlocks.Count),
            new LoopTrial<SingleBlocks<TarnHeap>>(NativeNames.TarnHeap, new(default), ScopedBlocks.Count),
            new LoopTrial<NewArrays>(NativeNames.NewArray, new(), ScopedBlocks.Count),
            new LoopTrial<SingleBlocks<NativeMemoryAllocator>>(NativeNames.NativeMemory, new(default), ScopedBlocks.Count),
        ];
        WarmUp.Run(trials);
        return PairedRounds.Measure(trials, context.Rounds, context.CreateRandom());
    }

    private Section Describe(Found found) => new()
    {
        Id = Id,
        Title = Title,
        Text = "Four questions. How much memory does an unused heap take? Each figure is the growth of a process that does nothing else; "
            + "the figure of the first heap includes its machine code. How much memory stays after everything was freed? "
            + $"{FreedMemoryJob.Threads} threads allocate blocks of 16 B to 256 KiB until {ByteSize.Text(FreedMemoryJob.LoadBytes)} are "
            + "live, write and free them in random order, repeatedly, then stay alive and idle, as a server's threads do. Tarn's heap "
            + $"gives up idle memory after {found.IdleTimeout.TotalSeconds:0} s, the peers have their own rules, some of which need "
            + "further calls, and all are measured after the same time. How long does it take to grow a buffer from "
            + $"{ByteSize.Text(GrowingBuffer<TarnHeap>.From)} to {ByteSize.Text(GrowingBuffer<TarnHeap>.To)} by doubling, with each new "
            + "part written? An allocator that moves memory to another address without copying is ahead, and one that kept freed memory "
            + $"needs no fresh memory. And how long does a request's scratch memory take: {ScopedBlocks.Count} blocks of "
            + $"{ByteSize.Text(ScopedBlocks.Size)} each written, from a scope that frees them together?" + NativePeers.DescribeMissing(),
        Charts =
        [
            new Chart
            {
                Id = "native-freed-resident",
                Title = "Resident memory through load and idle",
                Description = "Resident memory of one process for each allocator through load and idle.",
                Kind = ChartKind.Lines,
                X = new Axis("Time", "s", Logarithmic: false),
                Y = new Axis("Memory", "B", Logarithmic: false),
                Series = [.. found.Freed.Select(memory => new Series(memory.Contender, PoolNames.RoleOf(memory.Contender), memory.Points))],
                Marks = [new Mark(found.Freed[0].LoadEnd, "freed")],
            },
        ],
        Tables =
        [
            Unused(found.Unused),
            Freed(found.IdleTimeout, found.Freed),
            Times("native-growth", "A buffer that grows", "From the first allocation to the free.", found.Growth),
            Times("native-scope", "Scratch memory", "One block of a scope, allocation and free.", found.Scopes),
        ],
    };

    private static Table Unused(IReadOnlyDictionary<string, double> unused) => new()
    {
        Id = "native-unused",
        Title = "An unused heap",
        Note = "Additional resident memory.",
        Columns = [new Column("Heap", ColumnKind.Text), new Column("Resident", ColumnKind.Bytes)],
        Rows =
        [
            ["The first of a process, machine code included", unused[UnusedHeapJob.First]],
            ["A further one", unused[UnusedHeapJob.Further]],
            ["A further one, after one block was allocated and freed", unused[UnusedHeapJob.FurtherUsed]],
        ],
    };

    private static Table Freed(TimeSpan idleTimeout, IReadOnlyList<MemoryCourse> freed) => new()
    {
        Id = "native-freed",
        Title = "After everything was freed",
        Columns =
        [
            new Column("Allocator", ColumnKind.Text),
            new Column("Peak", ColumnKind.Bytes),
            new Column("After half a second", ColumnKind.Bytes),
            new Column($"After {idleTimeout.TotalSeconds:0} s", ColumnKind.Bytes),
            new Column("At the end", ColumnKind.Bytes),
            new Column("Share of the peak", ColumnKind.Number),
        ],
        Rows =
        [
            .. freed.Select(memory => (IReadOnlyList<object?>)
                [
                    memory.Contender,
                    memory.Peak,
                    memory.After(TimeSpan.FromSeconds(0.5)),
                    memory.After(idleTimeout),
                    memory.AtEnd,
                    memory.ShareAtEnd,
                ]),
        ],
    };

    private static Table Times(string id, string title, string note, RoundSamples samples) => new()
    {
        Id = id,
        Title = title,
        Note = note,
        Columns = [new Column("Allocator", ColumnKind.Text), new Column("Time", ColumnKind.Nanoseconds)],
        Rows = [.. samples.Contenders.Select((name, index) => (IReadOnlyList<object?>)[name, samples.Median(index)])],
    };

    private sealed record Found(
        TimeSpan IdleTimeout,
        IReadOnlyDictionary<string, double> Unused,
        IReadOnlyList<MemoryCourse> Freed,
        RoundSamples Growth,
        RoundSamples Scopes);
}
