using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics.Sampling;

/// <summary>The estimates of a profile against a program's exact counts.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public unsafe class SampleEstimateTests
{
    private const double Tolerance = 0.05;

    private static readonly string[] s_types =
        ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space", "lost_objects", "lost_space"];

    [Fact]
    public void Arrays_are_estimated_within_five_percent_and_followed_to_their_return()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "estimated", Checks = BufferChecks.None });
        List<byte[]> kept = [];
        using SamplingSession session = new(interval: 4 << 10);
        RentSmall(pool, kept, rents: 800_000);
        RentMiddle(pool, kept, rents: 20_000);
        RentLarge(pool, kept, rents: 1_000);

        Expect("estimated", nameof(RentSmall), rents: 800_000, bytes: 112);
        Expect("estimated", nameof(RentMiddle), rents: 20_000, bytes: 4096);
        Expect("estimated", nameof(RentLarge), rents: 1_000, bytes: 80 << 10);

        kept.ForEach(array => pool.Return(array));
        AssertNothingInUse("estimated", rents: 821_000);
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
        pool.Core.Validate();
    }

    [SkippableFact]
    public void Blocks_are_estimated_within_five_percent_and_followed_to_their_free()
    {
        Skip.IfNot(StressLength.IsLong, "arrays are sampled in the same way; the long form has both");
        using NativeHeap heap = new(new NativeHeapOptions { Name = "estimated heap", Checks = BufferChecks.None });
        List<(nint Block, nuint Size)> kept = [];
        using SamplingSession session = new(interval: 4 << 10);
        AllocateSmall(heap, kept, allocations: 800_000);
        AllocateMiddle(heap, kept, allocations: 20_000);
        AllocateLarge(heap, kept, allocations: 200);

        Expect("estimated heap", nameof(AllocateSmall), rents: 800_000, bytes: 112);
        Expect("estimated heap", nameof(AllocateMiddle), rents: 20_000, bytes: 4096);
        Expect("estimated heap", nameof(AllocateLarge), rents: 200, bytes: 320 << 10);

        kept.ForEach(one => heap.Free((void*)one.Block, one.Size));
        AssertNothingInUse("estimated heap", rents: 820_200);
        Assert.Equal(0, heap.GetStatistics().InUseBytes);
        heap.Validate();
    }

    [Fact]
    public void Sites_that_rent_in_turn_through_the_same_hit_are_told_apart()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "in turn", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 8 << 10);
        for (int i = 0; i < 60_000; i++)
        {
            Once(pool);
            Thrice(pool);
        }

        PprofReader profile = PprofReader.Take();
        AssertNear(60_000, profile.Sum("alloc_objects", "in turn", nameof(Once)), bytes: 2_048);
        AssertNear(180_000, profile.Sum("alloc_objects", "in turn", nameof(Thrice)), bytes: 2_048);
        Assert.Equal(0, profile.Sum("inuse_objects", "in turn"));
    }

    [Fact]
    public void Threads_that_rent_and_others_that_return_are_followed()
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Name = "handed over", Checks = BufferChecks.None });
        using NativeHeap heap = new(new NativeHeapOptions { Name = "handed over heap", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 8 << 10);
        System.Collections.Concurrent.BlockingCollection<(int[] Array, nint Block)> handed = new(boundedCapacity: 500);
        Thread[] renting = [.. Enumerable.Range(0, 2).Select(_ => Start(() =>
        {
            for (int i = 0; i < 20_000; i++)
            {
                handed.Add((pool.Rent(700), (nint)heap.Allocate(700)));
            }
        }))];
        Thread[] returning = [.. Enumerable.Range(0, 2).Select(_ => Start(() =>
        {
            foreach ((int[] array, nint block) in handed.GetConsumingEnumerable())
            {
                pool.Return(array);
                heap.Free((void*)block, 700);
            }
        }))];
        Array.ForEach(renting, static thread => thread.Join());
        handed.CompleteAdding();
        Array.ForEach(returning, static thread => thread.Join());

        PprofReader profile = PprofReader.Take();
        AssertNear(40_000, profile.Sum("alloc_objects", "handed over"), bytes: 4 * 704);
        AssertNear(40_000, profile.Sum("alloc_objects", "handed over heap"), bytes: 704, tolerance: 0.1);
        Assert.Equal(0, profile.Sum("inuse_objects", "handed over"));
        Assert.Equal(0, profile.Sum("inuse_objects", "handed over heap"));
        pool.Core.Validate();
        heap.Validate();
    }

    [SkippableFact]
    public void A_mean_that_rises_does_not_bias_the_estimate()
    {
        Skip.IfNot(StressLength.IsLong, "one mean is enough for the short form; the long form has both");
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "rising", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 4 << 10);
        for (int i = 0; i < 1_300_000; i++)
        {
            if (i % 260_000 == 259_999)
            {
                BufferSampling.Profile!.Throttle.Raise();
            }

            pool.Return(pool.Rent(1 << 10));
        }

        PprofReader profile = PprofReader.Take();
        AssertNear(1_300_000, profile.Sum("alloc_objects", "rising"), bytes: 1 << 10);
        Assert.Equal(4 << 10, profile.Period);
        Assert.Contains($" {128 << 10} bytes", Assert.Single(profile.Comments), StringComparison.Ordinal);
    }

    private static void Expect(string pool, string method, long rents, long bytes)
    {
        PprofReader profile = PprofReader.Take();
        long[] values = [.. s_types.Select(type => profile.Sum(type, pool, method))];

        AssertNear(rents, values[0], bytes);
        AssertNear(rents * bytes, values[1], bytes, rents);
        AssertNear(rents / 2, values[2], bytes);
        AssertNear(rents / 2 * bytes, values[3], bytes, rents / 2);
        Assert.Equal([0, 0], values[4..]);
    }

    private static Thread Start(Action work)
    {
        Thread thread = new(() => work());
        thread.Start();
        return thread;
    }

    private static void AssertNothingInUse(string pool, long rents)
    {
        PprofReader profile = PprofReader.Take();
        AssertNear(rents, profile.Sum("alloc_objects", pool), bytes: 112);
        Assert.Equal(0, profile.Sum("inuse_objects", pool));
        Assert.Equal(0, profile.Sum("inuse_space", pool));
    }

    /// <summary>
    /// Asserts that an estimate is near, and that no chance takes it further off: other threads of the process take random numbers, too.
    /// </summary>
    private static void AssertNear(long exact, long estimate, long bytes, long? rents = null, double tolerance = Tolerance)
    {
        double sampled = 1 - Math.Exp(-bytes / BufferSampling.Profile!.Throttle.Mean);
        double deviation = Math.Sqrt((1 - sampled) / sampled / (rents ?? exact));
        Assert.True(deviation * 5 <= tolerance, $"{exact}: the estimate's standard deviation is {deviation:P2}, too much for this test");
        Assert.True(
            Math.Abs(estimate - exact) <= exact * tolerance,
            $"{estimate} is estimated, {exact} is exact: {(double)estimate / exact - 1:P1} off");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentSmall(BufferPool<byte> pool, List<byte[]> kept, int rents) => RentAndKeepHalf(pool, kept, 100, rents);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentMiddle(BufferPool<byte> pool, List<byte[]> kept, int rents) => RentAndKeepHalf(pool, kept, 4_000, rents);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentLarge(BufferPool<byte> pool, List<byte[]> kept, int rents) => RentAndKeepHalf(pool, kept, 80_000, rents);

    private static void RentAndKeepHalf(BufferPool<byte> pool, List<byte[]> kept, int length, int rents)
    {
        for (int i = 0; i < rents; i += 2)
        {
            kept.Add(pool.Rent(length));
            pool.Return(pool.Rent(length));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AllocateSmall(NativeHeap heap, List<(nint Block, nuint Size)> kept, int allocations) =>
        AllocateAndKeepHalf(heap, kept, 100, allocations);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AllocateMiddle(NativeHeap heap, List<(nint Block, nuint Size)> kept, int allocations) =>
        AllocateAndKeepHalf(heap, kept, 4_000, allocations);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AllocateLarge(NativeHeap heap, List<(nint Block, nuint Size)> kept, int allocations) =>
        AllocateAndKeepHalf(heap, kept, 320 << 10, allocations);

    private static void AllocateAndKeepHalf(NativeHeap heap, List<(nint Block, nuint Size)> kept, nuint size, int allocations)
    {
        for (int i = 0; i < allocations; i += 2)
        {
            kept.Add(((nint)heap.Allocate(size), size));
            heap.Free(heap.Allocate(size), size);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Once(BufferPool<byte> pool) => pool.Return(pool.Rent(2_000));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Thrice(BufferPool<byte> pool)
    {
        for (int i = 0; i < 3; i++)
        {
            using BufferLease<byte> lease = pool.Lease(2_000);
        }
    }
}
