namespace Tarn;

/// <content>Requests that wait.</content>
public sealed partial class BufferBudget
{
    /// <summary>The most requests granted before the lock is left.</summary>
    private const int Batch = 32;

    /// <summary>Takes a request out of its queue, or keeps it out of any; false when its outcome is decided.</summary>
    internal bool TryWithdraw(BudgetWaiter waiter)
    {
        using (_tree.Lock.Hold())
        {
            if (waiter.IsOver)
            {
                return false;
            }

            if (waiter.At is { } at)
            {
                at._queue.Remove(waiter);
                for (BufferBudget below = this; below != at; below = below.Parent!)
                {
                    below._inUse -= waiter.Bytes;
                }
            }

            End(waiter);
        }

        Serve();
        return true;
    }

    private ValueTask WaitAsync(long bytes, TimeSpan timeout, CancellationToken cancellation)
    {
        if (FindTooSmall(bytes) is { } tooSmall)
        {
            CountRefusal();
            return ValueTask.FromException(tooSmall.Exceeded(bytes, origin: this, waited: TimeSpan.Zero));
        }

        BudgetWaiter waiter = new(this, bytes);
        waiter.Watch(timeout, cancellation);
        Enqueue(waiter);
        return new ValueTask(waiter.Task);
    }

    /// <summary>Waits for bytes on this thread; false when they did not come in time, or never will.</summary>
    /// <remarks>Whatever ends the wait, a request that was granted in the same moment has its bytes, and the call says so.</remarks>
    private bool TryBlock(long bytes, TimeSpan timeout, CancellationToken cancellation)
    {
        if (FindTooSmall(bytes) is not null)
        {
            return false;
        }

        BudgetWaiter waiter = new(this, bytes);
        Enqueue(waiter);
        bool isOver;
        try
        {
            isOver = waiter.Task.Wait(timeout, cancellation);
        }
        catch (Exception e)
        {
            if (TryWithdraw(waiter))
            {
                throw;
            }

            Uninterrupted.KeepPending(e is ThreadInterruptedException);
            return true;
        }

        return isOver || !TryWithdraw(waiter);
    }

    /// <summary>The first budget from here upwards whose limit is below a request, or null.</summary>
    private BufferBudget? FindTooSmall(long bytes)
    {
        BufferBudget? budget = this;
        while (budget is not null && bytes <= budget.Limit)
        {
            budget = budget.Parent;
        }

        return budget;
    }

    /// <summary>Grants a request at once, or lets it wait, unless it has ended already.</summary>
    private void Enqueue(BudgetWaiter waiter)
    {
        bool isWithdrawn;
        bool isGranted;
        using (_tree.Lock.Hold())
        {
            isWithdrawn = waiter.IsOver;
            isGranted = !isWithdrawn && TryAdvance(waiter, this);
        }

        if (isGranted)
        {
            waiter.Complete();
        }
        else if (isWithdrawn)
        {
            waiter.StopWatching();
        }
    }

    /// <summary>
    /// Takes a request's bytes from budget to budget, until all have granted it or one has no room. There it waits. Under the lock.
    /// </summary>
    private static bool TryAdvance(BudgetWaiter waiter, BufferBudget? from)
    {
        for (BufferBudget? budget = from; budget is not null; budget = budget.Parent)
        {
            if (budget._queue.First is not null || waiter.Bytes > budget.Limit - budget._inUse)
            {
                waiter.Budget._waiting += waiter.At is null ? 1 : 0;
                waiter.At = budget;
                budget._queue.Append(waiter);
                return false;
            }

            budget._inUse += waiter.Bytes;
        }

        waiter.Budget.End(waiter);
        return true;
    }

    /// <summary>Decides the outcome of a request to this budget. Under the lock.</summary>
    private void End(BudgetWaiter waiter)
    {
        waiter.IsOver = true;
        if (waiter.At is not null)
        {
            waiter.At = null;
            _waiting--;
        }

        TimeSpan waited = TimeProvider.System.GetElapsedTime(waiter.Since);
        _longestWait = waited > _longestWait ? waited : _longestWait;
    }

    /// <summary>Grants what fits to the requests that wait from here upwards, and completes their tasks outside the lock.</summary>
    private void Serve()
    {
        bool isDone;
        do
        {
            LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> granted = default;
            _tree.Lock.Enter();
            int left = Batch;
            for (BufferBudget? budget = this; budget is not null && left > 0; budget = budget.Parent)
            {
                budget.ServeOwn(ref granted, ref left);
            }

            isDone = left > 0;
            _tree.Lock.Exit();
            while (granted.First is { } next)
            {
                granted.Remove(next);
                next.Complete();
            }
        }
        while (!isDone);
    }

    private void ServeOwn(ref LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> granted, ref int left)
    {
        while (left > 0 && _queue.First is { } waiter && waiter.Bytes <= Limit - _inUse)
        {
            left--;
            _queue.Remove(waiter);
            _inUse += waiter.Bytes;
            if (TryAdvance(waiter, Parent))
            {
                granted.Append(waiter);
            }
        }
    }
}
