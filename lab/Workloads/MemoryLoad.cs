using Tarn.Lab.Contenders;

namespace Tarn.Lab.Workloads;

/// <summary>
/// Threads that rent mixed sizes until their share is live, write them, return them, and begin again, until told to stop. Afterwards
/// the threads stay alive and idle, as a server's do, so that what a pool keeps for them is seen.
/// </summary>
internal sealed class MemoryLoad<TPool> : IDisposable
    where TPool : struct, IBytePool
{
    private const int SmallestSize = 1 << 10;
    private const int Doublings = 10;

    // Any OS page is at least this large: one write in each makes a buffer resident.
    private const int WriteEvery = 4 << 10;

    private readonly TPool _pool;
    private readonly long _bytesPerThread;
    private readonly Thread[] _threads;
    private readonly CountdownEvent _idle;
    private readonly ManualResetEventSlim _end = new();
    private long _inUse;
    private volatile bool _stopping;

    public MemoryLoad(TPool pool, int threads, long bytes, Random random)
    {
        _pool = pool;
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

    /// <summary>Bytes of the buffers that are rented now.</summary>
    public long InUseBytes => Volatile.Read(ref _inUse);

    /// <summary>Returns when every buffer has been returned; the threads live on.</summary>
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
        var live = new List<byte[]>();
        while (!_stopping)
        {
            FillShare(live, random);
            foreach (byte[] buffer in live)
            {
                Interlocked.Add(ref _inUse, -buffer.Length);
                _pool.Return(buffer);
            }

            live.Clear();
        }

        // The list would keep its capacity only; no buffer is reachable from here any more.
        _idle.Signal();
        _end.Wait();
    }

    private void FillShare(List<byte[]> live, Random random)
    {
        long bytes = 0;
        while (bytes < _bytesPerThread)
        {
            byte[] buffer = _pool.Rent((int)(SmallestSize * Math.Pow(2, random.NextDouble() * Doublings)));
            for (int offset = 0; offset < buffer.Length; offset += WriteEvery)
                buffer[offset] = 1;

            bytes += buffer.Length;
            Interlocked.Add(ref _inUse, buffer.Length);
            live.Add(buffer);
        }
    }
}
