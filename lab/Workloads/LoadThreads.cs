using System.Runtime.InteropServices;

namespace Tarn.Lab.Workloads;

/// <summary>
/// Threads that take blocks of mixed sizes until their share is live, write them, return them, and start over until they are stopped.
/// Afterwards the threads stay alive and idle, as a server's do, so that memory kept for them shows.
/// </summary>
/// <param name="threads">How many.</param>
/// <param name="bytes">The most bytes that all of them hold together, except for the last block of each.</param>
/// <param name="smallestSize">The smallest requested size.</param>
/// <param name="doublings">How often that may double; every fraction of a doubling is as likely as any other.</param>
internal abstract class LoadThreads<TBlock>(int threads, long bytes, int smallestSize, int doublings) : IDisposable
{
    // Any OS page is at least this large: one write in each makes a block resident.
    private const int WriteEvery = 4 << 10;

    private readonly long _bytesPerThread = bytes / threads;
    private readonly Thread[] _threads = new Thread[threads];
    private readonly CountdownEvent _idle = new(threads);
    private readonly ManualResetEventSlim _end = new();
    private volatile bool _stopping;

    /// <summary>Returns when every block has been given back; the threads live on.</summary>
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
        {
            thread.Join();
        }

        _idle.Dispose();
        _end.Dispose();
    }

    /// <summary>Starts the threads. A constructor must call it last.</summary>
    protected void Start(Random random)
    {
        for (int index = 0; index < _threads.Length; index++)
        {
            var own = new Random(random.Next());
            _threads[index] = new Thread(() => Run(own)) { IsBackground = true, Name = $"lab load {index}" };
            _threads[index].Start();
        }
    }

    /// <summary>A block of at least that size.</summary>
    protected abstract TBlock Take(int size);

    /// <summary>Returns all of its memory, which may be more than requested.</summary>
    protected abstract Span<byte> MemoryOf(TBlock block);

    protected abstract void GiveBack(TBlock block);

    /// <summary>Called before a thread returns all its blocks. The default keeps the order in which it took them.</summary>
    protected virtual void Reorder(Span<TBlock> live, Random random)
    {
    }

    private void Run(Random random)
    {
        var live = new List<TBlock>();
        while (!_stopping)
        {
            TakeShare(live, random);
            Reorder(CollectionsMarshal.AsSpan(live), random);
            foreach (TBlock block in live)
            {
                GiveBack(block);
            }

            live.Clear();
        }

        // The list keeps only its capacity; no block is reachable from here any more.
        _idle.Signal();
        _end.Wait();
    }

    private void TakeShare(List<TBlock> live, Random random)
    {
        long taken = 0;
        while (taken < _bytesPerThread)
        {
            TBlock block = Take((int)(smallestSize * Math.Pow(2, random.NextDouble() * doublings)));
            Span<byte> memory = MemoryOf(block);
            for (int offset = 0; offset < memory.Length; offset += WriteEvery)
            {
                memory[offset] = 1;
            }

            taken += memory.Length;
            live.Add(block);
        }
    }
}
