using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// A long mixed load that shrinks: several threads, which live through all of it, build a live set of blocks of 16 B to 256 KiB and replace
/// random ones of it for a while; then most of it is freed in random order, with one block allocated for every ten freed, until a tenth is
/// left; and that tenth continues to be replaced.
/// </summary>
internal sealed unsafe class ShrinkingLoad<TAllocator>(TAllocator allocator, int threads, long bytes, int seed)
    where TAllocator : struct, INativeAllocator
{
    private const int SmallestSize = 16;
    private const int Doublings = 14;
    private const int FreedForOne = 10;

    /// <summary>The remaining part of the live set.</summary>
    private const int Share = 10;

    // Any OS page is at least this large: one write in each makes a block resident.
    private const int WriteEvery = 4 << 10;

    private readonly List<Block>[] _shares = [.. Enumerable.Range(0, threads).Select(_ => new List<Block>(RoomFor(bytes / threads)))];
    private readonly Random[] _randoms = [.. Enumerable.Range(0, threads).Select(index => new Random(seed + index))];
    private readonly long[] _live = new long[threads];
    private volatile bool _stopping;

    /// <summary>Runs all of it.</summary>
    /// <param name="load">How long blocks are replaced before.</param>
    /// <param name="after">And after.</param>
    /// <param name="sample">Called repeatedly while blocks are replaced, with whether the load has shrunk.</param>
    public void Run(TimeSpan load, TimeSpan after, Action<bool> sample)
    {
        using var built = new Barrier(threads + 1);
        var workers = new WorkerThreads();
        Thread[] started = [.. Enumerable.Range(0, threads).Select(number => workers.Start(index => Live(index, built), number))];
        Sample(built, load, () => sample(false));
        Sample(built, after, () => sample(true));
        foreach (Thread thread in started)
        {
            thread.Join();
        }

        workers.ThrowIfFailed();
    }

    /// <summary>Waits until the live set is there, lets it be replaced for that long, and stops that.</summary>
    private void Sample(Barrier phases, TimeSpan time, Action sample)
    {
        phases.SignalAndWait();
        long end = Environment.TickCount64 + (long)time.TotalMilliseconds;
        while (Environment.TickCount64 < end)
        {
            sample();
        }

        _stopping = true;
        phases.SignalAndWait();
    }

    private void Live(int index, Barrier phases)
    {
        FillUp(index, bytes / threads);
        phases.SignalAndWait();
        ReplaceRandom(index, phases);
        Shrink(index);
        phases.SignalAndWait();
        ReplaceRandom(index, phases);
        while (_shares[index].Count > 0)
        {
            FreeRandom(index);
        }
    }

    private static int RoomFor(long bytes) => (int)(bytes / 8_000);

    private void FillUp(int index, long most)
    {
        while (_live[index] < most)
        {
            Allocate(index);
        }
    }

    private void ReplaceRandom(int index, Barrier phases)
    {
        long most = _live[index];
        while (!_stopping)
        {
            FreeRandom(index);
            FillUp(index, most);
        }

        phases.SignalAndWait();
        _stopping = false;
    }

    private void Shrink(int index)
    {
        long least = _live[index] / Share;
        for (int step = 1; _live[index] > least; step++)
        {
            FreeRandom(index);
            if (step % FreedForOne == 0)
            {
                Allocate(index);
            }
        }
    }

    private void Allocate(int index)
    {
        TAllocator own = allocator;
        nuint size = (nuint)(SmallestSize * Math.Pow(2, _randoms[index].NextDouble() * Doublings));
        byte* address = (byte*)own.Allocate(size);
        for (nuint offset = 0; offset < size; offset += WriteEvery)
        {
            address[offset] = 1;
        }

        _shares[index].Add(new Block { Address = address, Size = size });
        _live[index] += (long)size;
    }

    private void FreeRandom(int index)
    {
        List<Block> share = _shares[index];
        if (share.Count == 0)
        {
            return;
        }

        TAllocator own = allocator;
        int at = _randoms[index].Next(share.Count);
        Block block = share[at];
        share[at] = share[^1];
        share.RemoveAt(share.Count - 1);
        _live[index] -= (long)block.Size;
        own.Free(block.Address, block.Size);
    }
}
