namespace Tarn.SharedMemory;

/// <summary>The threads that sleep for tasks: as few as the system allows, and none when there has been nothing to wait for.</summary>
/// <param name="createGroup">Creates what one thread sleeps on.</param>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class TaskWaiters(Func<SignalGroup> createGroup)
{
    /// <summary>So many waits are looked at at the usual interval; if there are more, it is longer.</summary>
    private const int WaitsPerInterval = 128;

    private readonly Lock _lock = new();

    /// <summary>The threads that can take another wait; the last one gets the next wait, so that others become idle.</summary>
    private readonly List<TaskWaiter> _withRoom = [];
    private int _threads;
    private int _waits;

    /// <summary>Those of this process. Tests replace it.</summary>
    internal static TaskWaiters Shared { get; set; } = new(SignalGroup.Create) { StackBytes = 256 * 1024 };

    /// <summary>Those of this process on which tasks may go on, so that they hold up none of the others.</summary>
    internal static TaskWaiters Inline { get; } = new(SignalGroup.Create);

    /// <summary>The size of the threads' stacks; 0 for that of any thread.</summary>
    internal int StackBytes { get; init; }

    /// <summary>After how long a thread ends that has nothing to wait for. Tests change it.</summary>
    internal int MillisecondsIdle { get; init; } = 10_000;

    /// <summary>The threads there are.</summary>
    internal int Threads => Volatile.Read(ref _threads);

    /// <summary>How often each wait is looked at that nothing wakes: ten times a second, or less often if there are many.</summary>
    internal int MillisecondsBetweenLooks => WaitingSide.MillisecondsBetweenLooks * (1 + (Volatile.Read(ref _waits) / WaitsPerInterval));

    /// <summary>Sleeps for a wait from now on: it has <see cref="SignalWait.Seen"/> set, and may end before this returns.</summary>
    /// <exception cref="OutOfMemoryException">The system starts no more threads.</exception>
    internal void Add(SignalWait wait)
    {
        TaskWaiter waiter;
        using (_lock.Hold())
        {
            if (_withRoom.Count == 0)
            {
                // For all threads: none that has room again may need memory to say so.
                _withRoom.EnsureCapacity(_threads + 1);
                _withRoom.Add(TaskWaiter.Start(this, createGroup()));
                _threads++;
            }

            waiter = _withRoom[^1];
            _waits++;
            if (waiter.Add(wait))
            {
                _withRoom.RemoveAt(_withRoom.Count - 1);
            }
        }

        waiter.Wake();
    }

    /// <summary>Gives a thread the waits that were added to it, and takes note of those that ended.</summary>
    /// <returns>False when the thread is to end.</returns>
    internal bool Exchange(TaskWaiter waiter, int ended, bool isIdle)
    {
        using (_lock.Hold())
        {
            bool wasFull = waiter.IsFull;
            _waits -= ended;
            bool isEmpty = waiter.TakeAdded(ended);
            if (wasFull && !waiter.IsFull)
            {
                _withRoom.Add(waiter);
            }

            if (!isEmpty || !isIdle)
            {
                return true;
            }

            _withRoom.Remove(waiter);
            _threads--;
            return false;
        }
    }
}
