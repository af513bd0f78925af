using System.Diagnostics;
using System.Threading.Channels;
using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

/// <summary>
/// Threads that rent, keep, hand over, return and die, while others trim, tick and trace; every buffer is stamped and verified.
/// </summary>
internal sealed class BufferPoolStress(BufferPool<long> pool, int threads, TimeSpan duration)
{
    private static readonly int[] s_lengths = [1, 3, 17, 100, 100, 100, 128, 500, 1000, 4000, 30_000];

    private readonly Channel<StampedBuffer> _handedOver = Channel.CreateBounded<StampedBuffer>(2000);
    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private Exception? _failure;

    private bool IsOver => _elapsed.Elapsed > duration || _failure is not null;

    /// <summary>Runs until time is up; <paramref name="disturbances"/> are repeated meanwhile, each on a thread of its own.</summary>
    internal void Run(int seed, params Action[] disturbances)
    {
        Thread[] all =
        [
            .. Enumerable.Range(0, threads).Select(i => new Thread(() => Guard(() => LiveAndDie(new Random(seed + i))))),
            .. disturbances.Select(disturb => new Thread(() => Guard(() => Repeat(disturb)))),
        ];
        Array.ForEach(all, static thread => thread.Start());
        Array.ForEach(all, static thread => thread.Join());
        while (_handedOver.Reader.TryRead(out StampedBuffer left))
        {
            StampedBuffer buffer = left;
            Guard(() => buffer.Return(pool, clear: false));
        }

        if (_failure is { } failure)
        {
            throw new InvalidOperationException($"The stress of seed {seed} with {threads} threads failed: {failure.Message}", failure);
        }

        BufferPoolStatistics end = pool.GetStatistics();
        Assert.True(end.Rented > 0);
        Assert.Equal((0, end.Rented), (end.InUseBytes, end.Returned));
        pool.Core.Validate();
        pool.Trim();
        Assert.Equal(0, pool.GetStatistics().RetainedBytes);
        Assert.Equal(0, pool.Core.Budget.Granted);
    }

    private void Guard(Action action)
    {
        try
        {
            action();
        }
#pragma warning disable CA1031 // a thread of the test's own must not take the process down; the test fails with what it met
        catch (Exception e)
#pragma warning restore CA1031
        {
            Interlocked.CompareExchange(ref _failure, e, null);
        }
    }

    private void Repeat(Action disturb)
    {
        while (!IsOver)
        {
            disturb();
            Thread.Sleep(1);
        }
    }

    /// <summary>A thread lives for a while, then another takes its place.</summary>
    private void LiveAndDie(Random random)
    {
        while (!IsOver)
        {
            Thread life = new(() => Guard(() => Live(random, steps: random.Next(2000))));
            life.Start();
            life.Join();
        }
    }

    private void Live(Random random, int steps)
    {
        Stack<StampedBuffer> held = [];
        for (int step = 0; step < steps && !IsOver; step++)
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
