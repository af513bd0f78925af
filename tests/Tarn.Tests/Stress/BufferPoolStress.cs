using System.Threading.Channels;

namespace Tarn.Tests.Stress;

/// <summary>
/// Threads that rent, keep, hand over, return and die, while others trim, tick and trace; every buffer is stamped and verified.
/// </summary>
internal sealed class BufferPoolStress(BufferPool<long> pool, int threads, TimeSpan duration)
{
    private static readonly int[] s_lengths = [1, 3, 17, 100, 100, 100, 128, 500, 1000, 4000, 30_000];

    private readonly Channel<StampedBuffer> _handedOver = Channel.CreateBounded<StampedBuffer>(2000);
    private readonly StressThreads _threads = new(threads, duration);

    /// <summary>Runs until time is up; <paramref name="disturbances"/> are repeated meanwhile, each on a thread of its own.</summary>
    internal void Run(int seed, params Action[] disturbances) => _threads.Run(seed, Live, disturbances, VerifyEnd);

    private void VerifyEnd()
    {
        while (_handedOver.Reader.TryRead(out StampedBuffer left))
        {
            left.Return(pool, clear: false);
        }

        BufferPoolStatistics end = pool.GetStatistics();
        Assert.True(end.Rented > 0);
        Assert.Equal((0, end.Rented), (end.InUseBytes, end.Returned));
        pool.Core.Validate();
        pool.Trim();
        Assert.Equal(0, pool.GetStatistics().RetainedBytes);
        Assert.Equal(0, pool.Core.Budget.Granted);
    }

    private void Live(Random random, int steps)
    {
        Stack<StampedBuffer> held = [];
        for (int step = 0; step < steps && !_threads.IsOver; step++)
        {
            switch (random.Next(10))
            {
                case < 4:
                    bool exact = random.Next(20) == 0;
                    for (int i = random.Next(4) == 0 ? random.Next(60) : 1; i > 0; i--)
                    {
                        held.Push(StampedBuffer.Rent(pool, s_lengths[random.Next(s_lengths.Length)], exact));
                    }

                    break;
                case < 6:
                    for (int i = random.Next(30); i > 0 && held.TryPop(out StampedBuffer mine); i--)
                    {
                        if (!_handedOver.Writer.TryWrite(mine))
                        {
                            mine.Return(pool, clear: false);
                        }
                    }

                    break;
                case < 8:
                    for (int i = random.Next(30); i > 0 && _handedOver.Reader.TryRead(out StampedBuffer theirs); i--)
                    {
                        theirs.Return(pool, clear: random.Next(8) == 0);
                    }

                    break;
                case < 9:
                    Lease(random);
                    break;
                default:
                    for (int i = random.Next(60); i > 0 && held.TryPop(out StampedBuffer mine); i--)
                    {
                        mine.Return(pool, clear: false);
                    }

                    break;
            }
        }

        while (held.TryPop(out StampedBuffer last))
        {
            // What a thread still holds when it dies is returned by another.
            if (!_handedOver.Writer.TryWrite(last))
            {
                last.Return(pool, clear: false);
            }
        }
    }

    private void Lease(Random random)
    {
        long mark = random.NextInt64();
        using BufferLease<long> outer = pool.Lease(100);
        outer.Span.Fill(mark);
        using (BufferLease<long> inner = pool.Lease(100))
        {
            inner.Span.Fill(~mark);
        }

        if (outer.Span.ContainsAnyExcept(mark))
        {
            throw new InvalidOperationException("Someone wrote into a leased buffer.");
        }
    }
}
