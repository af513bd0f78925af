using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>While the heap calls the system, other threads allocate, free and read counters: no lock is held that they want.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class UnlockedCallsTests : IDisposable
{
    /// <summary>It only keeps a failing test from hanging.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    private static readonly nuint[] s_sizes = [16, 1000, 20_000, 262_144, 300_000, 2 << 20];

    /// <summary>A multiple of the work's duration: a call that continues as long as others free blocks does not end.</summary>
    private const int MostVisits = 50_000;

    private readonly FailingMemory _system = new();
    private readonly WatchedMemory _memory;
    private readonly ManualClock _clock = new(followsCollections: false);
    private readonly Worker _visitor = new();
    private readonly Dictionary<string, int> _visits = [];
    private NativeHeap? _heap;

    /// <summary>Reported at the end, because disposal waits for a call that an exception left in the middle.</summary>
    private string? _failure;

    public UnlockedCallsTests() => _memory = new WatchedMemory(_system);

    public void Dispose()
    {
        _memory.Visitor = null;
        _heap?.Dispose();
        _visitor.Dispose();
        _system.AssertNothingLeaks();
    }

    [Theory]
    [LongInlineData(0)]
    [InlineData(1 << 20)]
    [LongInlineData(1 << 30)]
    public void No_lock_is_held_that_a_caller_wants(long cap)
    {
        _heap = new NativeHeap(new NativeHeapOptions
        {
            MaxRetainedBytes = cap,
            IdleTimeout = TimeSpan.FromSeconds(1),
            Checks = BufferChecks.None,
            Clock = _clock.Trim,
            Memory = _memory,
        });
        _memory.Visitor = Visit;
        for (int round = 0; round < (StressLength.IsLong ? 3 : 1); round++)
        {
            Work(_heap);
            _heap.Trim();
            Work(_heap);
            Worker.RunOnce(() => Work(_heap));
            _clock.Advance(TimeSpan.FromSeconds(4));
        }

        _memory.Visitor = null;
        Assert.Null(_failure);
        _heap.Validate();
        string[] expected = ["Commit", "Decommit", "Discard", "Release", "Reserve", "TryMove"];
        Assert.Equal(expected.Except(OperatingSystem.IsLinux() ? [] : ["TryMove"]), _visits.Keys.Order());
    }

    private static void Work(NativeHeap heap)
    {
        List<(nint Block, nuint Size)> live = [];
        foreach (nuint size in s_sizes)
        {
            for (int i = 0; i < (size > 100_000 ? 6 : 300); i++)
            {
                live.Add(((nint)heap.Allocate(size), size));
            }
        }

        // Some slabs become empty, others do not.
        foreach ((nint block, nuint size) in live.Where(static (_, at) => at % 7 != 0).ToArray())
        {
            heap.Free((void*)block, size);
        }

        heap.Trim();
        foreach ((nint block, nuint size) in live.Where(static (_, at) => at % 7 == 0).ToArray())
        {
            void* grown = heap.Reallocate((void*)block, size, size * 2);
            grown = heap.Reallocate(grown, size * 2, (size * 3) / 2);
            heap.Free(grown, (size * 3) / 2);
        }
    }

    /// <summary>Works on every class often enough to exceed its magazines: the depot, the slabs, the regions, large buffers.</summary>
    private void Visit(string call)
    {
        _visits[call] = _visits.GetValueOrDefault(call) + 1;
        if (!_visitor.TryRun(UseEveryClass, s_limit))
        {
            Fail($"While the heap was in {call}, another thread waited for a lock.");
        }
        else if (_visits.Values.Sum() >= MostVisits)
        {
            Fail($"The heap goes on calling {call} as long as others give something back.");
        }
    }

    private void UseEveryClass()
    {
        foreach (nuint size in s_sizes)
        {
            nint[] blocks = [.. Enumerable.Range(0, size > 100_000 ? 3 : 40).Select(_ => (nint)_heap!.Allocate(size))];
            Array.ForEach(blocks, block => _heap!.Free((void*)block, size));
        }

        _ = _heap!.GetStatistics();
    }

    private void Fail(string why)
    {
        _failure = why;
        _memory.Visitor = null;
    }
}
