using System.Buffers;
using System.Collections.Concurrent;
using Tarn.Tests.Support;
using Tarn.Tool.Advice;

namespace Tarn.Tool.Tests.Advice;

/// <summary>The models beside the pools they stand for, driven with the same rents and returns.</summary>
public class ModelTests
{
    private static readonly int s_steps = StressLength.Times(1_000, 20_000);

    [Theory]
    [InlineData(1 << 20, 50, 80)]
    [InlineData(4_096, 3, 40)]
    [InlineData(1, 1, 12)]
    public void The_model_of_a_created_pool_does_what_the_pool_does(int longest, int buffers, int mostOut)
    {
        var pool = ArrayPool<byte>.Create(longest, buffers);

        Compare(pool, new CreatedPoolModel(longest, buffers), threads: 1, mostOut);
    }

    [Theory]
    [InlineData(1, 20)]
    [InlineData(1, 400)]
    [InlineData(3, 300)]
    public void The_model_of_the_shared_pool_does_what_the_pool_does(int threads, int mostOut)
    {
        // Each case has a type of its own, and so a shared pool of its own. The pool trims nothing within seconds.
        var model = new SharedPoolModel(Environment.ProcessorCount);
        switch (threads, mostOut)
        {
            case (1, 20):
                Compare(ArrayPool<First>.Shared, model, threads, mostOut);
                break;
            case (1, _):
                Compare(ArrayPool<Second>.Shared, model, threads, mostOut);
                break;
            default:
                Compare(ArrayPool<Third>.Shared, model, threads, mostOut);
                break;
        }
    }

    /// <summary>An array that was never seen before was allocated. One that was dropped never comes back.</summary>
    private static void Compare<T>(ArrayPool<T> pool, IPoolModel model, int threads, int mostOut)
    {
        var random = new Random(threads + mostOut);
        var known = new HashSet<T[]>(ReferenceEqualityComparer.Instance);
        var isOut = new List<T[]>();
        using var turns = new ThreadTurns(threads);
        for (int step = 0; step < s_steps; step++)
        {
            int thread = random.Next(threads);
            if (isOut.Count == 0 || (isOut.Count < mostOut && random.Next(2) == 0))
            {
                int length = 1 << random.Next(4, 8);
                T[] array = turns.Take(thread, () => pool.Rent(length));
                (int given, bool isAllocated) = model.Rent(thread, length);
                Assert.Equal((array.Length, known.Add(array)), (given, isAllocated));
                isOut.Add(array);
            }
            else
            {
                int at = random.Next(isOut.Count);
                T[] array = isOut[at];
                isOut.RemoveAt(at);
                _ = turns.Take(thread, () =>
                {
                    pool.Return(array);
                    return 0;
                });
                _ = model.Return(thread, array.Length);
            }
        }
    }

    private readonly struct First;

    private readonly struct Second;

    private readonly struct Third;

    /// <summary>Threads of which one runs at a time.</summary>
    private sealed class ThreadTurns : IDisposable
    {
        private readonly BlockingCollection<Action>[] _work;
        private readonly Thread[] _threads;
        private readonly SemaphoreSlim _isDone = new(0);

        public ThreadTurns(int count)
        {
            _work = [.. Enumerable.Range(0, count).Select(_ => new BlockingCollection<Action>())];
            _threads = [.. _work.Select(work => new Thread(() =>
            {
                foreach (Action one in work.GetConsumingEnumerable())
                {
                    one();
                    _ = _isDone.Release();
                }
            }))];
            Array.ForEach(_threads, thread => thread.Start());
        }

        public T Take<T>(int thread, Func<T> work)
        {
            T result = default!;
            _work[thread].Add(() => result = work());
            _isDone.Wait();
            return result;
        }

        public void Dispose()
        {
            Array.ForEach(_work, work => work.CompleteAdding());
            Array.ForEach(_threads, thread => thread.Join());
            Array.ForEach(_work, work => work.Dispose());
            _isDone.Dispose();
        }
    }
}
