using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class NativeHeapStressTests : IDisposable
{
    private readonly ManualClock _clock = new();
    private readonly int _seed = Random.Shared.Next();
    private readonly List<NativeHeap> _heaps = [];

    public void Dispose() => _heaps.ForEach(static heap => heap.Dispose());

    private NativeHeap Create(long cap, NativeHeapOptions? options = null)
    {
        NativeHeap heap = new(new NativeHeapOptions(options ?? new NativeHeapOptions { Checks = BufferChecks.None })
        {
            Name = $"stress {Guid.NewGuid()}",
            MaxRetainedBytes = cap,
            IdleTimeout = TimeSpan.FromSeconds(1),
            Clock = _clock.Trim,
        });
        _heaps.Add(heap);
        return heap;
    }

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    [InlineData(64)]
    public void Left_alone(int threads) => Storm(Create(1 << 28), threads);

    [Theory]
    [InlineData(2)]
    [InlineData(16)]
    [InlineData(64)]
    public void Trimmed_ticked_and_read_at_the_same_time(int threads)
    {
        NativeHeap heap = Create(8 << 20);
        Random random = new(_seed);
        Storm(
            heap, threads,
            () => heap.Trim(),
            () =>
            {
                _clock.MemoryIsScarce = random.Next(4) == 0;
                _clock.Advance(TimeSpan.FromMilliseconds(random.Next(600)));
            },
            () => HeapStorm.ReadCounters(heap));
    }

    [Theory]
    [InlineData(4, 200_000)]
    [InlineData(4, 0)]
    public void Under_a_cap_that_is_always_reached(int threads, long cap)
    {
        NativeHeap heap = Create(cap);
        Storm(heap, threads, () => HeapStorm.ReadCounters(heap));
    }

    [Theory]
    [InlineData(4)]
    public void Trimmed_without_pause(int threads)
    {
        NativeHeap heap = Create(1 << 28);
        Storm(heap, threads, () =>
        {
            for (int i = 0; i < 200; i++)
            {
                heap.Trim();
            }
        });
    }

    [Fact]
    public void Ticked_without_pause()
    {
        NativeHeap heap = Create(1 << 28);
        Storm(heap, threads: 4, () =>
        {
            for (int i = 0; i < 100; i++)
            {
                _clock.Advance(TimeSpan.FromMilliseconds(300));
            }
        });
    }

    [Fact]
    public void Clearing_freed_blocks() =>
        Storm(
            Create(1 << 26, new NativeHeapOptions { ClearOnFree = true, AddMemoryPressure = true, Checks = BufferChecks.None }),
            threads: 4);

    [Fact]
    public void With_all_checks_on()
    {
        NativeHeap heap = Create(1 << 26, new NativeHeapOptions { Checks = BufferChecks.All });
        Storm(heap, threads: 4, () => heap.Trim());
    }

    [Theory]
    [InlineData(2)]
    [InlineData(16)]
    public void While_other_heaps_come_and_go(int threads)
    {
        NativeHeap heap = Create(16 << 20);
        Action comeAndGo = () => PassingHeaps.ComeAndGo(heap, _clock.Trim);
        Storm(heap, threads, comeAndGo, comeAndGo, comeAndGo);
    }

    [Fact]
    public void A_heap_may_end_while_others_tick_trim_and_read_it()
    {
        // The clock and collectors of metrics hold heaps without knowing that these end.
        const string name = "ended while in use";
        using IncidentLog incidents = new(name);
        Exception? failure = null;
        Stopwatch elapsed = Stopwatch.StartNew();
        while (elapsed.Elapsed < StressLength.Duration && failure is null)
        {
            NativeHeap heap = new(new NativeHeapOptions { Name = name, Checks = BufferChecks.None, Clock = _clock.Trim });
            using Barrier start = new(3);
            Thread reader = new(() =>
            {
                start.SignalAndWait();
                failure = Record.Exception(() => ReadUntilTheEnd(heap));
            });
            Thread ticker = new(() =>
            {
                start.SignalAndWait();
                _clock.Tick();
            });
            reader.Start();
            ticker.Start();
            for (int i = 0; i < 200; i++)
            {
                nuint size = (nuint)(i % 20 * 50);
                nint[] blocks = [.. Enumerable.Range(0, 100).Select(_ => (nint)heap.Allocate(size))];
                Array.ForEach(blocks, block => heap.Free((void*)block, size));
            }

            start.SignalAndWait();
            heap.Dispose();
            reader.Join();
            ticker.Join();
        }

        Assert.Null(failure);
        incidents.AssertNone();
    }

    /// <summary>The first region comes between any two reads, sooner or later.</summary>
    [Fact]
    public void No_more_is_committed_than_reserved_also_when_it_is_read_while_a_heap_grows()
    {
        int rounds = StressLength.IsLong ? 1000 : 200;
        Stopwatch elapsed = Stopwatch.StartNew();
        for (int round = 0; round < rounds || elapsed.Elapsed < StressLength.Duration; round++)
        {
            using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, Clock = _clock.Trim });
            using Barrier start = new(2);
            Thread growing = new(() =>
            {
                start.SignalAndWait();
                heap.Free(heap.Allocate(100));
                heap.Free(heap.Allocate(300_000));
            });
            growing.Start();
            start.SignalAndWait();
            while (growing.IsAlive)
            {
                HeapStorm.ReadCounters(heap);
            }

            growing.Join();
        }
    }

    private static void ReadUntilTheEnd(NativeHeap heap)
    {
        try
        {
            while (true)
            {
                heap.GetStatistics();
                heap.Trim();
                heap.CountByClass();
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    /// <summary>A storm in which no misuse is reported.</summary>
    private void Storm(NativeHeap heap, int threads, params Action[] disturbances)
    {
        using IncidentLog incidents = new(heap.Name);

        // This heap's clock stands still; those of others tick after a collection, and sweep this one's threads that ended.
        new HeapStorm(heap, threads, StressLength.Duration) { ClockTicks = true }.Run(_seed, disturbances);
        incidents.AssertNone();
    }
}
