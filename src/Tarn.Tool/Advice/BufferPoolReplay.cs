using System.Collections.Concurrent;
using Tarn.Diagnostics;
using Tarn.Traces;

namespace Tarn.Tool.Advice;

/// <summary>
/// Sends rents and returns through a real <see cref="BufferPool{T}"/>: its caches adapt to what threads do, so nothing simpler than itself
/// would tell. Each recorded thread has one here, and they take turns, so that the order is that of the recording.
/// </summary>
internal static class BufferPoolReplay
{
    /// <summary>A longer recording is replayed up to here.</summary>
    public const int MostEvents = 200_000;

    /// <summary>More threads share the last.</summary>
    private const int MostThreads = 32;

    /// <param name="trace">The recording.</param>
    /// <param name="pool">The number of the recorded pool.</param>
    /// <param name="options">The options of the replayed pool.</param>
    /// <param name="name">How the pool is called in the result.</param>
    public static ReplayResult Run(BufferTrace trace, int pool, BufferPoolOptions options, string name)
    {
        var replayed = BufferPool<byte>.Create(options);
        var buffers = new Dictionary<int, byte[]>();
        long rented = 0;
        long most = 0;
        using var turns = new Turns(MostThreads);
        int taken = 0;
        int from = 0;
        BufferEvent[] events = trace.Events.ToArray();
        while (from < events.Length && taken < MostEvents)
        {
            // Events of one thread in a row need one turn.
            int thread = ThreadOf(events[from]);
            int to = from;
            while (to < events.Length && ThreadOf(events[to]) == thread && taken < MostEvents)
            {
                taken += events[to++].Pool == pool ? 1 : 0;
            }

            int first = from;
            turns.Take(thread, () =>
            {
                for (int index = first; index < to; index++)
                {
                    BufferEvent one = events[index];
                    if (one.Pool == pool && one.IsRent)
                    {
                        buffers.Add(index, replayed.Rent(one.Length));
                        rented++;
                    }
                    else if (one.Pool == pool && buffers.Remove(one.Rent, out byte[]? buffer))
                    {
                        replayed.Return(buffer);
                    }
                }
            });
            most = Math.Max(most, taken % 64 == 0 ? Find(replayed).RetainedBytes : 0);
            from = to;
        }

        BufferSourceSnapshot end = Find(replayed);
        return new ReplayResult(name, rented, end.Allocated, null, Math.Max(most, end.RetainedBytes));
    }

    private static int ThreadOf(BufferEvent one) => Math.Min(one.Thread, MostThreads - 1);

    private static BufferSourceSnapshot Find(BufferPool<byte> pool) =>
        BufferDiagnostics.GetSources().First(source => source.Id == pool.GetHashCode());

    /// <summary>Threads of which one runs at a time.</summary>
    private sealed class Turns(int most) : IDisposable
    {
        private readonly BlockingCollection<Action>?[] _work = new BlockingCollection<Action>?[most];
        private readonly SemaphoreSlim _isDone = new(0);
        private readonly List<Thread> _threads = [];
        private Exception? _failure;

        public void Take(int thread, Action work)
        {
            (_work[thread] ??= Start()).Add(work);
            _isDone.Wait();
            if (_failure is { } failure)
            {
                throw new InvalidOperationException($"The replay failed: {failure.Message}", failure);
            }
        }

        public void Dispose()
        {
            foreach (BlockingCollection<Action>? work in _work)
            {
                work?.CompleteAdding();
            }

            _threads.ForEach(thread => thread.Join());
            foreach (BlockingCollection<Action>? work in _work)
            {
                work?.Dispose();
            }

            _isDone.Dispose();
        }

        private BlockingCollection<Action> Start()
        {
            var work = new BlockingCollection<Action>();
            var thread = new Thread(() =>
            {
                foreach (Action one in work.GetConsumingEnumerable())
                {
                    try
                    {
                        one();
                    }
                    catch (Exception exception) when (exception is OutOfMemoryException or ArgumentException)
                    {
                        _failure = exception;
                    }

                    _ = _isDone.Release();
                }
            })
            { IsBackground = true };
            _threads.Add(thread);
            thread.Start();
            return work;
        }
    }
}
