using System.Runtime.InteropServices;
using Tarn.Lab.Contenders;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// Threads that allocate mixed sizes until their share is live, write it, free it in random order, and begin again, until told to stop.
/// Afterwards the threads stay alive and idle, as a server's do, so that what an allocator keeps for them is seen.
/// </summary>
internal sealed unsafe class NativeMemoryLoad<TAllocator> : IDisposable
    where TAllocator : struct, INativeAllocator
{
    private const int SmallestSize = 16;
    private const int Doublings = 14;

    // Any OS page is at least this large: one write in each makes a block resident.
    private const int WriteEvery = 4 << 10;

    private readonly TAllocator _allocator;
    private readonly long _bytesPerThread;
    private readonly Thread[] _threads;
    private readonly CountdownEvent _idle;
    private readonly ManualResetEventSlim _end = new();
    private volatile bool _stopping;

    public NativeMemoryLoad(TAllocator allocator, int threads, long bytes, Random random)
    {
        _allocator = allocator;
        _bytesPerThread = bytes / threads;
        _idle = new CountdownEvent(threads);
        _threads = new Thread[threads];
        for (int index = 0; index < threads; index++)
        {
            var own = new Random(random.Next());
            _threads[index] = new Thread(() => Run(own)) { IsBackground = true, Name = $"lab load {index}" };
            _threads[index].Start();
        }
    }

    /// <summary>Returns when every block has been freed; the threads live on.</summary>
    public void Stop()
    {
        _stopping = true;
        _idle.Wait();
    }

    public void Dispose()
    {
        _stopping = true;
        _end.Set();
        foreach (Thread thread in _threads)
            thread.Join();

        _idle.Dispose();
        _end.Dispose();
    }

    private void Run(Random random)
    {
        var live = new List<Block>();
        while (!_stopping)
        {
            FillShare(live, random);
            random.Shuffle(CollectionsMarshal.AsSpan(live));
            foreach (Block block in live)
                _allocator.Free((void*)block.Address, (nuint)block.Size);

            live.Clear();
        }

        _idle.Signal();
        _end.Wait();
    }

    private void FillShare(List<Block> live, Random random)
    {
        long bytes = 0;
        while (bytes < _bytesPerThread)
        {
            int size = (int)(SmallestSize * Math.Pow(2, random.NextDouble() * Doublings));
            byte* block = (byte*)_allocator.Allocate((nuint)size);
            for (int offset = 0; offset < size; offset += WriteEvery)
                block[offset] = 1;

            bytes += size;
            live.Add(new Block((nint)block, size));
        }
    }

    private readonly record struct Block(nint Address, int Size);
}
