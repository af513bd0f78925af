using System.Collections.Concurrent;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>
/// Threads that take, keep, change, hand over, give back and die, while others disturb them. Each buffer bears its owner's stamp, which is
/// verified before it goes back, by whichever thread: two owners of one thing are found out.
/// </summary>
/// <typeparam name="T">The type of the owned buffers.</typeparam>
internal abstract class OwnershipStorm<T>(int threads, TimeSpan duration)
{
    private readonly ConcurrentBag<T>[] _exchange = [[], [], [], []];
    private readonly StressThreads _threads = new(threads, duration);
    private long _operations;
    private long _refusals;

    /// <summary>Whether memory may run out. Then failures are counted, and owned buffers must be unchanged.</summary>
    internal bool MayBeRefused { get; init; }

    /// <summary>Called when all threads have ended, before the end is verified.</summary>
    internal Action BeforeEnd { get; init; } = static () => { };

    /// <summary>Whether the clock ticks by itself, if only after collections: then a tick may run when the end is verified.</summary>
    internal bool ClockTicks { get; init; }

    /// <summary>Takes, changes and returns so far.</summary>
    internal long Operations => Volatile.Read(ref _operations);

    /// <summary>Operations for which there was no memory.</summary>
    internal long Refusals => Volatile.Read(ref _refusals);

    /// <summary>Threads that lived.</summary>
    internal long Lives => _threads.Lives;

    /// <summary>How many are taken or given back at once, at most.</summary>
    protected abstract int MostAtOnce { get; }

    /// <summary>How many wait to be given back by others, at most, in each of four places.</summary>
    protected virtual int MostWaiting => 500;

    /// <summary>
    /// Runs until time is up; <paramref name="disturbances"/> run repeatedly at the same time, each on a thread of its own.
    /// </summary>
    internal void Run(int seed, params Action[] disturbances) => _threads.Run(seed, Live, disturbances, End);

    /// <summary>Takes one and stamps it.</summary>
    protected abstract T Take(Random random);

    /// <summary>Verifies the stamp and gives back.</summary>
    protected abstract void GiveBack(T owned, Random random);

    /// <summary>
    /// Makes it larger, smaller or another; it is still this thread's. Where there is no memory for it, nothing has changed.
    /// </summary>
    protected virtual T Change(T owned, Random random) => owned;

    /// <summary>Uses one and gives it back within the call.</summary>
    protected virtual void Use(Random random)
    {
    }

    /// <summary>While some wait to be given back, and nobody is inside.</summary>
    protected virtual void VerifyWaiting(int waiting)
    {
    }

    /// <summary>All is given back.</summary>
    protected abstract void VerifyEnd();

    private void End()
    {
        BeforeEnd();
        Verify(() => VerifyWaiting(_exchange.Sum(static bag => bag.Count)));
        Random random = new(0);
        foreach (ConcurrentBag<T> bag in _exchange)
        {
            while (bag.TryTake(out T? left))
            {
                GiveBackAtLast(left, random);
            }
        }

        Verify(VerifyEnd);
    }

    private void Verify(Action verify)
    {
        if (ClockTicks)
        {
            Require.Settles(verify);
        }
        else
        {
            verify();
        }
    }

    private void Live(Random random, int steps)
    {
        // However late a thread comes, it does something.
        Stack<T> held = [];
        TryTake(held, random);
        long operations = 1;
        for (int step = 0; step < steps && !_threads.IsOver; step++)
        {
            operations += Step(held, random);
        }

        while (held.TryPop(out T? last))
        {
            // Another thread returns half of the buffers that a dying thread still holds.
            if (held.Count % 2 == 0)
            {
                GiveBackAtLast(last, random);
            }
            else
            {
                _exchange[0].Add(last);
            }
        }

        Interlocked.Add(ref _operations, operations);
    }

    /// <summary>Returns how many operations it was.</summary>
    private int Step(Stack<T> held, Random random)
    {
        ConcurrentBag<T> exchange = _exchange[random.Next(_exchange.Length)];
        int count = 0;
        switch (random.Next(11))
        {
            case < 4:
                for (int most = random.Next(4) == 0 ? random.Next(MostAtOnce) : 1; count < most && TryTake(held, random); count++)
                {
                }

                break;
            case < 6:
                for (int i = random.Next(MostAtOnce / 2); i > 0 && exchange.Count < MostWaiting && held.TryPop(out T? mine); i--)
                {
                    exchange.Add(mine);
                }

                break;
            case < 8:
                for (int most = random.Next(MostAtOnce / 2); count < most && exchange.TryTake(out T? theirs); count++)
                {
                    GiveBackAtLast(theirs, random);
                }

                break;
            case < 9:
                Allow(() => Use(random));
                count = 1;
                break;
            case < 10 when held.TryPop(out T? last):
                T changed = last;
                Allow(() => changed = Change(changed, random));
                held.Push(changed);
                count = 1;
                break;
            default:
                for (int most = random.Next(MostAtOnce); count < most && held.TryPop(out T? mine); count++)
                {
                    GiveBackAtLast(mine, random);
                }

                break;
        }

        return count;
    }

    /// <summary>The check may need memory, which is available until everything is returned.</summary>
    private void GiveBackAtLast(T owned, Random random)
    {
        while (!Allow(() => GiveBack(owned, random)))
        {
        }
    }

    private bool TryTake(Stack<T> held, Random random) => Allow(() => held.Push(Take(random)));

    /// <summary>Whether there was memory for it.</summary>
    private bool Allow(Action operation)
    {
        try
        {
            operation();
            return true;
        }
        catch (OutOfMemoryException) when (MayBeRefused)
        {
            Interlocked.Increment(ref _refusals);
            return false;
        }
    }
}
