using Tarn.Tests.Diagnostics.Sampling;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

/// <summary>
/// A rent and its return tell the same identity and length, whichever calls they are: tools know a buffer by nothing else.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class EventPairTests
{
    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 8);

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Each_return_tells_what_its_rent_told(int seed) => RandomProgram.Run(seed, () =>
    {
        Random random = new(seed);
        BufferChecks checks = random.Next(3) switch { 0 => BufferChecks.All, 1 => BufferChecks.Leaks, _ => BufferChecks.None };
        BufferBudget? budget = random.Next(2) == 0 ? new BufferBudget(16 << 20) : null;
        bool clears = random.Next(2) == 0;
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Checks = checks,
            Budget = budget,
            Clearing = clears ? BufferClearing.OnReturn : BufferClearing.OnRequest,
            MaxArrayLength = 1 << 20,
        });
        using NativeHeap heap = new(new NativeHeapOptions
        {
            Checks = checks,
            Budget = budget,
            ClearOnFree = clears,
            MaxRetainedBytes = random.Next(2) == 0 ? 8 << 20 : null,
        });
        using SamplingSession? sampling = random.Next(2) == 0 ? new SamplingSession(interval: 10_000) : null;
        using PairListener listener = new(pool.GetHashCode(), heap.GetHashCode());
        using (EventPairProgram program = new(seed, pool, heap))
        {
            program.Run(RandomProgram.Steps(perSecond: 1_000));
        }

        Assert.True(listener.Rents > 20, $"{listener.Rents} rents were heard.");
        Assert.Empty(listener.Unmatched);
        Assert.Equal((0, 0, 0), (pool.GetStatistics().InUseBytes, heap.GetStatistics().InUseBytes, budget?.InUse ?? 0));
    });

    [Theory]
    [InlineData(BufferChecks.None)]
    [InlineData(BufferChecks.Returns)]
    public void A_heap_that_ends_returns_what_is_in_use(BufferChecks checks)
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = checks });
        using PairListener listener = new(heap.GetHashCode());
        foreach (nuint size in (nuint[])[4, 100, 1000, 5000, 300_000, 2_000_000])
        {
            nint[] blocks = [.. Enumerable.Range(0, 40).Select(_ => (nint)heap.Allocate(size))];
            foreach (nint block in blocks.Where(static (_, index) => index % 3 == 0))
            {
                heap.Free((void*)block, size);
            }
        }

        heap.Reallocate(heap.Allocate(300_000), 300_000, 3_000_000);
        heap.Dispose();
        Assert.True(listener.Rents > 240);
        Assert.Empty(listener.Unmatched);
    }

    /// <summary>A free by the address alone knows no other size.</summary>
    [Theory]
    [InlineData(BufferChecks.None, 1024)]
    [InlineData(BufferChecks.All, 1000)]
    public void A_block_is_told_with_its_usable_size(BufferChecks checks, int usable)
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = checks });
        using EventRecorder recorder = new(System.Diagnostics.Tracing.EventLevel.Verbose);
        heap.Free(heap.Allocate(1000));
        heap.Free(heap.Allocate(1000), 1000);
        foreach (string name in (string[])["BufferRented", "BufferReturned"])
        {
            object?[][] told = [.. recorder.Payloads(name).Where(payload => payload[2] is int id && id == heap.GetHashCode())];
            Assert.Equal([usable, usable], told.Select(static payload => payload[1]));
        }
    }
}
