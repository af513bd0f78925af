using System.Buffers;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>
/// Threads that rent, hand over and return while others interrupt them all the time. No call may throw because of it, and nothing may be
/// left half done: at the end all is returned, counted and given up.
/// </summary>
/// <remarks>
/// The threads' own waits must not throw in the wrong place, so they exchange buffers with interlocked operations and no collection of the
/// system.
/// </remarks>
internal sealed class InterruptStorm(BufferPool<long> pool, int threads, TimeSpan duration)
{
    private const int MostHeld = 24;

    private static readonly int[] s_lengths = [1, 60, 100, 100, 500, 2000, 30_000];

    private readonly StressThreads _threads = new(threads, duration);
    private readonly Thread?[] _alive = new Thread?[threads * 2];
    private readonly Owned?[] _exchange = new Owned?[32];
    private readonly MemoryPool<long> _blocks = pool.AsMemoryPool();
    private int _nextPlace;
    private long _operations;
    private long _interrupts;

    /// <summary>Rents and returns so far.</summary>
    internal long Operations => Volatile.Read(ref _operations);

    /// <summary>Interrupts that were pending when a thread waited outside the library.</summary>
    internal long Interrupts => Volatile.Read(ref _interrupts);

    /// <summary>Runs until time is up; <paramref name="disturbances"/> run at the same time.</summary>
    internal void Run(int seed, params Action[] disturbances) => _threads.Run(seed, Live, [.. disturbances, Interrupt], End);

    private void Interrupt()
    {
        for (int round = 0; round < 20; round++)
        {
            foreach (ref Thread? place in _alive.AsSpan())
            {
                Volatile.Read(ref place)?.Interrupt();
            }

            Thread.Yield();
        }
    }

    private void Live(Random random, int steps)
    {
        int place = (int)((uint)Interlocked.Increment(ref _nextPlace) % (uint)_alive.Length);
        Volatile.Write(ref _alive[place], Thread.CurrentThread);

        // The first interrupt is its own: a storm may be over before the disturbing thread has its turn.
        Thread.CurrentThread.Interrupt();
        Owned[] held = new Owned[MostHeld];
        int count = 0;
        for (int step = 0; step < steps && (step == 0 || !_threads.IsOver); step++)
        {
            count = Step(held, count, random);
        }

        while (count > 0)
        {
            held[--count].Buffer.Return(pool, clear: false);
        }

        TakeInterrupt();
        Interlocked.CompareExchange(ref _alive[place], null, Thread.CurrentThread);
    }

    /// <summary>Returns how many buffers the thread holds afterwards.</summary>
    private int Step(Owned[] held, int count, Random random)
    {
        Interlocked.Increment(ref _operations);
        switch (random.Next(16))
        {
            case < 5:
                for (int most = random.Next(MostHeld); count < most; count++)
                {
                    held[count] = new Owned(
                        StampedBuffer.Rent(pool, s_lengths[random.Next(s_lengths.Length)], exact: random.Next(4) == 0));
                }

                return count;
            case < 9:
                for (int least = random.Next(MostHeld); count > least; count--)
                {
                    Owned? before = Interlocked.Exchange(ref _exchange[random.Next(_exchange.Length)], held[count - 1]);
                    before?.Buffer.Return(pool, clear: random.Next(8) == 0);
                }

                return count;
            case < 13:
                for (int least = random.Next(MostHeld); count > least; count--)
                {
                    held[count - 1].Buffer.Return(pool, clear: false);
                }

                return count;
            case 13:
                pool.LeaseMemory(100).Dispose();
                _blocks.Rent(100).Dispose();
                return count;
            case 14:
                TrimOrCount(random);
                return count;
            default:
                TakeInterrupt();
                return count;
        }
    }

    private void TrimOrCount(Random random)
    {
        if (random.Next(8) == 0)
        {
            pool.Trim();
        }
        else
        {
            _ = pool.GetStatistics();
        }
    }

    /// <summary>Waits outside the library, where a pending interrupt belongs.</summary>
    private void TakeInterrupt()
    {
        try
        {
            Thread.Sleep(1);
        }
        catch (ThreadInterruptedException)
        {
            Interlocked.Increment(ref _interrupts);
        }
    }

    private void End()
    {
        foreach (ref Owned? place in _exchange.AsSpan())
        {
            place?.Buffer.Return(pool, clear: false);
            place = null;
        }

        Require.Settles(() =>
        {
            BufferPoolStatistics end = pool.GetStatistics();
            Require.That(end.Rented > 0 && Interrupts > 0, $"{end.Rented} rents and {Interrupts} interrupts.");
            Require.Equal((0, end.Rented), (end.InUseBytes, end.Returned), "Bytes in use and buffers returned, at the end");
            pool.Core.Validate();
            pool.Trim();
            Require.Equal(0, pool.GetStatistics().RetainedBytes, "Bytes retained after a trim");
            Require.Equal(0, pool.Core.Budget.Granted, "Bytes granted after a trim");
        });
    }

    private sealed record Owned(StampedBuffer Buffer);
}
