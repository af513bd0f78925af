namespace Tarn.SharedMemory;

/// <summary>A thread that sleeps for as many tasks as the system lets one thread wait for.</summary>
/// <remarks>
/// It wakes for the signal of any of its waits, for a wait that is added, and to look at all of them. Looks come ten times a second, or
/// less often if this process waits for many things, so that their number has a bound.
/// </remarks>
internal sealed class TaskWaiter
{
    internal const string ThreadName = "Tarn ring waits";

    /// <summary>The waiter whose thread this is; null on all others.</summary>
    [ThreadStatic]
    private static TaskWaiter? t_here;

    private readonly TaskWaiters _all;
    private readonly SignalGroup _group;

    /// <summary>Touched by the thread alone.</summary>
    private readonly SignalWait[] _waits;
    private int _count;

    /// <summary>The waits that ended since the others were told.</summary>
    private int _ended;

    /// <summary>Under the lock of <see cref="TaskWaiters"/>, as are the waits in all.</summary>
    private readonly List<SignalWait> _added;
    private int _load;

    private TaskWaiter(TaskWaiters all, SignalGroup group)
    {
        _all = all;
        _group = group;
        _waits = new SignalWait[group.Capacity];
        _added = new List<SignalWait>(group.Capacity);
    }

    internal bool IsFull => _load == _waits.Length;

    /// <summary>Whether this is the thread of a waiter.</summary>
    internal static bool IsHere => t_here is not null;

    /// <summary>
    /// Takes the next step of all waits of this thread, if it is a waiter's. Code that goes on here and closes something waits for calls
    /// inside that, which may be waits of this very thread.
    /// </summary>
    internal static void StepHere()
    {
        if (t_here is { } waiter)
        {
            waiter.Exchange(isIdle: false);
            waiter.Step(all: true);
        }
    }

    /// <exception cref="OutOfMemoryException">The system starts no more threads.</exception>
    internal static TaskWaiter Start(TaskWaiters all, SignalGroup group)
    {
        TaskWaiter waiter = new(all, group);
        new Thread(waiter.Run, all.StackBytes) { IsBackground = true, Name = ThreadName }.UnsafeStart();
        return waiter;
    }

    /// <summary>Adds a wait; <see cref="Wake"/> afterwards.</summary>
    /// <returns>True when no more can be added.</returns>
    internal bool Add(SignalWait wait)
    {
        _added.Add(wait);
        _load++;
        return IsFull;
    }

    internal void Wake() => _group.Wake();

    /// <summary>On the thread: takes what was added.</summary>
    /// <returns>True when there is nothing to wait for.</returns>
    internal bool TakeAdded(int ended)
    {
        _added.CopyTo(_waits, _count);
        _count += _added.Count;
        _added.Clear();
        _load -= ended;
        return _count == 0;
    }

    private void Run()
    {
        t_here = this;
        long now = Environment.TickCount64;
        long looked = now;
        long busy = now;
        while (Exchange(isIdle: now - busy >= _all.MillisecondsIdle))
        {
            int interval = _all.MillisecondsBetweenLooks;
            long until = _count == 0 ? busy + _all.MillisecondsIdle : looked + interval;
            _group.Wait(_waits.AsSpan(0, _count), (int)Math.Clamp(until - now, 0, int.MaxValue));
            now = Environment.TickCount64;
            busy = _count > 0 ? now : busy;
            bool isTime = now - looked >= interval;
            looked = isTime ? now : looked;
            Step(isTime);
        }
    }

    private bool Exchange(bool isIdle)
    {
        int ended = _ended;
        _ended = 0;
        return _all.Exchange(this, ended, isIdle);
    }

    /// <summary>Lets each wait go on that was woken, or all of them.</summary>
    private void Step(bool all)
    {
        for (int i = _count - 1; i >= 0; i--)
        {
            if (i >= _count || !(all || _waits[i].WasWoken))
            {
                continue;
            }

            // Nobody finds it here meanwhile: what goes on may step again. It may serve another wait afterwards, of any thread.
            SignalWait wait = _waits[i];
            _waits[i] = _waits[--_count];
            _waits[_count] = null!;
            if (wait.GoesOn())
            {
                _waits[_count++] = wait;
            }
            else
            {
                _ended++;
            }
        }
    }
}
