using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics.Sampling;

/// <summary>
/// Sampling is switched on and off while threads rent, hand over, trim, collect, and dispose heaps with blocks out; some pools have checks.
/// Every buffer is stamped, so one that is handed out twice is found.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public unsafe class SamplingStormTests
{
    private static readonly TimeSpan s_length = StressLength.Duration * 2;

    private readonly BufferPool<long>[] _pools =
    [
        BufferPool<long>.Create(new BufferPoolOptions { Name = "storm", Checks = BufferChecks.None }),
        BufferPool<long>.Create(new BufferPoolOptions { Name = "small cap", Checks = BufferChecks.None, MaxRetainedBytes = 64 << 10 }),
        BufferPool<long>.Create(new BufferPoolOptions { Name = "checked", Checks = BufferChecks.Returns }),
    ];

    private readonly List<Exception> _failures = [];
    private volatile bool _hasEnded;

    [Fact]
    public void Switching_under_load_harms_no_buffer()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = "storm heap", Checks = BufferChecks.None });
        try
        {
            Thread[] threads = [.. Enumerable.Range(1, 4).Select(number => Start(() => Rent(heap, number)))];
            Switch(heap);
            Array.ForEach(threads, static thread => thread.Join());
        }
        finally
        {
            BufferSampling.Stop();
        }

        Assert.Empty(_failures);
        Assert.All(_pools, static pool => Assert.Equal(0, pool.GetStatistics().InUseBytes));
        _pools[0].Core.Validate();
        _pools[1].Core.Validate();
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        heap.Validate();
    }

    [Fact]
    public void What_is_rented_while_sampling_stays_on_is_followed_to_its_end()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = "storm heap", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 2000);
        Thread[] threads = [.. Enumerable.Range(1, 4).Select(number => Start(() => Rent(heap, number)))];
        Thread.Sleep(s_length / 2);
        _hasEnded = true;
        Array.ForEach(threads, static thread => thread.Join());

        Assert.Empty(_failures);
        PprofReader profile = PprofReader.Take();
        foreach (string name in (string[])["storm", "small cap", "checked", "storm heap", "short heap"])
        {
            Assert.True(profile.Sum("alloc_objects", name) > 0, name);
            Assert.Equal((name, 0), (name, profile.Sum("inuse_objects", name)));
        }
    }

    private void Switch(NativeHeap heap)
    {
        Stopwatch time = Stopwatch.StartNew();
        int turn = 0;
        while (time.Elapsed < s_length)
        {
            BufferDiagnostics.SampleInterval = turn++ % 3 == 2 ? 0 : turn % 2 == 0 ? 300 : 20_000;
            if (BufferDiagnostics.SampleInterval > 0)
            {
                BufferDiagnostics.WriteProfile(Stream.Null);
            }

            Array.ForEach(_pools, static pool => pool.Trim());
            heap.Trim();
            GC.Collect(turn % 3);
            Thread.Sleep(turn % 5);
        }

        _hasEnded = true;
    }

    private void Rent(NativeHeap heap, int number)
    {
        Random random = new(number);
        List<(BufferPool<long> Pool, long[] Array)> arrays = [];
        List<(nint Block, nuint Size)> blocks = [];
        while (!_hasEnded)
        {
            foreach (BufferPool<long> pool in _pools)
            {
                long[] array = random.Next(8) == 0 ? pool.RentExact(random.Next(1, 600)) : pool.Rent(random.Next(1, 600));
                array.AsSpan().Fill(number);
                arrays.Add((pool, array));
            }

            nuint size = (nuint)random.Next(8, random.Next(100) == 0 ? 400_000 : 2_000);
            long* block = (long*)heap.Allocate(size);
            *block = number;
            blocks.Add(((nint)block, size));
            if (random.Next(3) == 0)
            {
                arrays.RemoveAll(one => GiveBack(one.Pool, one.Array, number));
                blocks.RemoveAll(one => Free(heap, one.Block, one.Size, number));
            }

            if (random.Next(200) == 0)
            {
                using NativeHeap shortLived = new(new NativeHeapOptions { Name = "short heap", Checks = BufferChecks.None });
                shortLived.Free(shortLived.Allocate(5000), 5000);
                shortLived.Allocate(5000);
            }
        }

        arrays.ForEach(one => GiveBack(one.Pool, one.Array, number));
        blocks.ForEach(one => Free(heap, one.Block, one.Size, number));
    }

    private static bool GiveBack(BufferPool<long> pool, long[] array, int number)
    {
        Assert.Equal(-1, array.AsSpan().IndexOfAnyExcept(number));
        pool.Return(array);
        return true;
    }

    private static bool Free(NativeHeap heap, nint block, nuint size, int number)
    {
        Assert.Equal(number, *(long*)block);
        heap.Free((void*)block, size);
        return true;
    }

    private Thread Start(Action work)
    {
        Thread thread = new(() =>
        {
            try
            {
                work();
            }
#pragma warning disable CA1031 // the test reports it
            catch (Exception failure)
#pragma warning restore CA1031
            {
                _hasEnded = true;
                lock (_failures)
                {
                    _failures.Add(failure);
                }
            }
        });
        thread.Start();
        return thread;
    }
}
