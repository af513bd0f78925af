using System.Runtime.ExceptionServices;

namespace Tarn;

/// <content>Requests that wait.</content>
public sealed partial class BufferBudget
{
    /// <summary>The most requests granted before the lock is left.</summary>
    private const int Batch = 32;

    /// <summary>The requests that wait here, in the order of their arrival at this budget.</summary>
    private LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> _queue;

    /// <summary>The requests made to this budget that wait, at whichever budget, in the order of their arrival.</summary>
    private LinkedQueue<BudgetWaiter, BudgetWaiter.OfBudget> _own;

    /// <summary>The number of them.</summary>
    private int _waiting;

    /// <summary>The number of requests in the queue here.</summary>
    private int _queued;

    /// <summary>Takes a request out of its queue, or keeps it out of any; false when its outcome is decided.</summary>
    internal bool TryWithdraw(BudgetWaiter waiter)
    {
        using (_tree.Lock.Hold())
        {
            if (waiter.Outcome != BudgetOutcome.None)
            {
                return false;
            }

            TakeOut(waiter, BudgetOutcome.Withdrawn);
        }

        Serve();
        return true;
    }

    /// <summary>Ends all requests of an owner that was disposed.</summary>
    internal void EndRequestsOf(BudgetHolder holder)
    {
        LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over = default;
        using (_tree.Lock.Hold())
        {
            holder.IsEnded = true;
            while (holder.Waiter is { } waiter)
            {
                TakeOut(waiter, BudgetOutcome.Disposed);
                over.Append(waiter);
            }
        }

        if (over.First is not null)
        {
            Complete(ref over);
            Serve();
        }
    }

    /// <summary>Takes bytes on an owner's terms, and waits for them if there is no room or another request waits.</summary>
    internal ValueTask TakeAsync(long bytes, in BudgetTerms terms)
    {
        _tree.Lock.Enter();
        bool isTaken = TryTakeFromAll(bytes);
        _tree.Lock.Exit();
        return isTaken ? default : WaitAsync(bytes, terms);
    }

    private ValueTask WaitAsync(long bytes, in BudgetTerms terms)
    {
        if (FindTooSmall(bytes, terms.Held) is not null || terms.Timeout == TimeSpan.Zero)
        {
            return ValueTask.FromException(Refuse(bytes, terms.Held, TimeSpan.Zero));
        }

        BudgetWaiter waiter = new(this, bytes, terms);
        waiter.Watch(terms.Cancellation, terms.OwnerCancellation);
        Enqueue(waiter);
        return new ValueTask(waiter.Task);
    }

    /// <summary>Waits for bytes on this thread; false when they did not come in time, or never will.</summary>
    /// <remarks>Whatever ends the wait, a request that was granted in the same moment has its bytes, and the call says so.</remarks>
    private bool TryBlock(long bytes, in BudgetTerms terms)
    {
        if (FindTooSmall(bytes, terms.Held) is not null)
        {
            return false;
        }

        BudgetWaiter waiter = new(this, bytes, terms);
        Enqueue(waiter);
        bool isOver;
        try
        {
            isOver = waiter.Task.Wait(terms.Timeout, terms.Cancellation);
        }
        catch (AggregateException e)
        {
            ExceptionDispatchInfo.Throw(e.InnerException!);
            throw;
        }
        catch (Exception e)
        {
            if (TryWithdraw(waiter))
            {
                throw;
            }

            Uninterrupted.KeepPending(e is ThreadInterruptedException);
            return HasGranted(waiter);
        }

        return isOver || (!TryWithdraw(waiter) && HasGranted(waiter));
    }

    /// <summary>Returns true for a request that was granted, or throws its refusal. The outcome is decided.</summary>
    private static bool HasGranted(BudgetWaiter waiter)
    {
        if (waiter.Outcome == BudgetOutcome.Granted)
        {
            return true;
        }

        // The thread that refused it is about to complete the task, whose exception must be seen.
        while (!waiter.Task.IsCompleted)
        {
            Uninterrupted.Yield();
        }

        throw waiter.Task.Exception?.InnerException ?? waiter.CreateRefusal();
    }

    /// <summary>The first budget from here upwards whose limit is below a request with what its owner keeps, or null.</summary>
    private BufferBudget? FindTooSmall(long bytes, long held)
    {
        BufferBudget? budget = this;
        while (budget is not null && bytes <= budget.Limit - held)
        {
            budget = budget.Parent;
        }

        return budget;
    }

    /// <summary>Grants a request at once, or lets it wait, unless it has ended already.</summary>
    private void Enqueue(BudgetWaiter waiter)
    {
        LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over = default;
        bool isWithdrawn;
        bool waits = false;
        using (_tree.Lock.Hold())
        {
            isWithdrawn = waiter.Outcome != BudgetOutcome.None;
            if (waiter.Holder is { IsEnded: true } && !isWithdrawn)
            {
                waiter.Outcome = BudgetOutcome.Disposed;
                over.Append(waiter);
            }
            else if (!isWithdrawn && TryAdvance(waiter, this))
            {
                over.Append(waiter);
            }
            else if (!isWithdrawn)
            {
                waiter.At!.EndDeadlocks(ref over);
                waits = waiter.Outcome == BudgetOutcome.None;
            }
        }

        Complete(ref over);
        if (isWithdrawn)
        {
            waiter.StopWatching();
        }

        if (waits)
        {
            BudgetWatch.Begin();
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
                budget.Keep(waiter);
                return false;
            }

            budget._inUse += waiter.Bytes;
        }

        End(waiter, BudgetOutcome.Granted);
        return true;
    }

    /// <summary>Lets a request wait here, behind all others. Under the lock.</summary>
    private void Keep(BudgetWaiter waiter)
    {
        if (waiter.Number == 0)
        {
            waiter.Number = ++_tree.Requests;
            waiter.Budget._own.Append(waiter);
            waiter.Budget._waiting++;
            waiter.Holder?.Add(waiter);
        }

        if (_queue.First is null)
        {
            _tree.Waited.Append(this);
        }

        waiter.At = this;
        _queue.Append(waiter);
        _queued++;
        Count(waiter, sign: 1);
    }

    /// <summary>Takes a request out of the queue here. Its outcome is open, and its bytes below stay reserved. Under the lock.</summary>
    private void Leave(BudgetWaiter waiter)
    {
        Count(waiter, sign: -1);
        waiter.At = null;
        _queue.Remove(waiter);
        _queued--;
        if (_queue.First is null)
        {
            _tree.Waited.Remove(this);
        }
    }

    /// <summary>Ends a request to no avail, and returns what was reserved for it. Under the lock.</summary>
    private static void TakeOut(BudgetWaiter waiter, BudgetOutcome outcome)
    {
        if (waiter.At is { } at)
        {
            at.Leave(waiter);
            for (BufferBudget below = waiter.Budget; below != at; below = below.Parent!)
            {
                below._inUse -= waiter.Bytes;
            }
        }

        End(waiter, outcome);
    }

    /// <summary>Decides the outcome of a request that is in no queue. Under the lock.</summary>
    private static void End(BudgetWaiter waiter, BudgetOutcome outcome)
    {
        waiter.Outcome = outcome;
        BufferBudget budget = waiter.Budget;
        if (waiter.Number > 0)
        {
            budget._own.Remove(waiter);
            budget._waiting--;
            waiter.Holder?.Remove(waiter);
        }

        TimeSpan waited = TimeProvider.System.GetElapsedTime(waiter.Since);
        budget._longestWait = waited > budget._longestWait ? waited : budget._longestWait;
    }

    /// <summary>Grants what fits to the requests that wait from here upwards, and completes their tasks outside the lock.</summary>
    private void Serve()
    {
        bool isDone;
        do
        {
            LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over = default;
            _tree.Lock.Enter();
            int left = Batch;
            ServeUpwards(ref over, ref left);
            for (BufferBudget? budget = this; budget is not null && left > 0; budget = budget.Parent)
            {
                budget.EndDeadlocks(ref over);
            }

            isDone = left > 0;
            _tree.Lock.Exit();
            Complete(ref over);
        }
        while (!isDone);
    }

    /// <summary>Grants what fits from here upwards. Under the lock.</summary>
    private void ServeUpwards(ref LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over, ref int left)
    {
        for (BufferBudget? budget = this; budget is not null && left > 0; budget = budget.Parent)
        {
            budget.ServeOwn(ref over, ref left);
        }
    }

    private void ServeOwn(ref LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over, ref int left)
    {
        while (left > 0 && _queue.First is { } waiter && waiter.Bytes <= Limit - _inUse)
        {
            left--;
            Advance(waiter, ref over);
        }
    }

    /// <summary>Grants a request that waits here, as far as this budget goes. Under the lock.</summary>
    private void Advance(BudgetWaiter waiter, ref LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over)
    {
        Leave(waiter);
        _inUse += waiter.Bytes;
        if (TryAdvance(waiter, Parent))
        {
            over.Append(waiter);
        }
    }

    private static void Complete(ref LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over)
    {
        while (over.First is { } next)
        {
            over.Remove(next);
            next.Complete();
        }
    }
}
