namespace Tarn;

/// <content>Requests that wait in vain, because those that wait hold what they wait for.</content>
/// <remarks>
/// <para>An owner that waits keeps what it has. Let <c>kept(b)</c> be the bytes of the budget b that requests which wait keep: what their
/// owners hold of it, and what is reserved for those that wait at a parent of it. Whatever all others return, the room at b is at most
/// <c>Limit(b) - kept(b)</c>. If the first request at b asks for more, it waits for the owners of others that wait. If these wait for it in
/// turn, here or at other budgets of which the same is true, it waits in vain.</para>
/// <para>Then the order no longer holds here. A request of an owner that holds bytes passes those before it as soon as it fits, for they go
/// on only after it. If no such request would fit even in all that the others may return, the wait of all is a deadlock, and
/// the youngest of them is refused: its owner can return what it holds.</para>
/// <para>A deadlock comes about when a request joins a queue or leaves one, never by a return: the sum does not count what those
/// hold that do not wait. So each change of a queue looks at it, and no deadlock is left. As long as the first request may yet be
/// served, the look is one comparison. It never errs: a request whose owner is unknown keeps nothing in the sum.</para>
/// </remarks>
public sealed partial class BufferBudget
{
    private Links<BufferBudget> _treeLinks;

    /// <summary>The bytes here that requests keep which wait anywhere.</summary>
    private long _kept;

    /// <summary>The same of requests that may wait in vain, and whether those here may: for one search.</summary>
    private long _stuckBytes;
    private bool _isStuck;

    private long _deadlocks;

    /// <summary>The number of requests made to this budget that were refused so far because their wait would never have ended.</summary>
    /// <remarks>
    /// The owner of such a request, such as a stream, held bytes of the budget, and all it waited for was held by others that waited
    /// themselves. They are among the <see cref="Refused"/> ones.
    /// </remarks>
    public long Deadlocks => Volatile.Read(ref _deadlocks);

    /// <summary>Whether the first request here asks for more than all that do not wait could return.</summary>
    private bool IsSuspect => _queue.First is { } first && first.Bytes > Limit - _kept;

    /// <summary>The exception of a request that was refused to end a deadlock.</summary>
    internal BufferBudgetExceededException Deadlocked(long bytes, long held) => new(new BudgetRefusal
    {
        Origin = this,
        BudgetName = Name,
        Limit = Limit,
        InUse = InUse,
        Waiting = Waiting,
        Asked = bytes,
        Held = held,
        IsDeadlock = true,
    });

    /// <summary>Counts what a request keeps that waits at its budget, or no longer counts it.</summary>
    private static void Count(BudgetWaiter waiter, int sign)
    {
        bool isBelow = true;
        for (BufferBudget? budget = waiter.Budget; budget is not null; budget = budget.Parent)
        {
            isBelow &= budget != waiter.At;
            budget._kept += sign * (waiter.Held + (isBelow ? waiter.Bytes : 0));
        }
    }

    /// <summary>
    /// Lets requests pass the first one here if that waits in vain, and refuses those that no order would serve. Under the lock.
    /// </summary>
    private void EndDeadlocks(ref LinkedQueue<BudgetWaiter, BudgetWaiter.InQueue> over)
    {
        bool isInVain = IsSuspect && FindStuck(isInOrder: true) && _isStuck;
        while (isInVain)
        {
            BudgetWaiter waiter;
            if (FindFitting() is { } fitting)
            {
                waiter = fitting;
                fitting.At!.Advance(fitting, ref over);
            }
            else if (FindStuck(isInOrder: false))
            {
                waiter = FindYoungest();
                TakeOut(waiter, BudgetOutcome.Deadlocked);
                waiter.Budget._refused++;
                waiter.Budget._deadlocks++;
                over.Append(waiter);
            }
            else
            {
                break;
            }

            int left = int.MaxValue;
            waiter.Budget.ServeUpwards(ref over, ref left);
            isInVain = FindStuck(isInOrder: true);
        }
    }

    /// <summary>
    /// Marks the budgets of the tree where no request can be served, whatever those return that do not wait: it takes all for such, and
    /// leaves out one after the other. Returns whether there is any.
    /// </summary>
    /// <param name="isInOrder">Whether only the first request of each queue is looked at, or also those that may pass it.</param>
    private bool FindStuck(bool isInOrder)
    {
        for (BufferBudget? budget = _tree.Waited.First; budget is not null; budget = budget._treeLinks.Next)
        {
            (budget._isStuck, budget._stuckBytes) = (true, budget._kept);
        }

        bool hasChanged;
        bool isAny;
        do
        {
            (hasChanged, isAny) = (false, false);
            for (BufferBudget? budget = _tree.Waited.First; budget is not null; budget = budget._treeLinks.Next)
            {
                if (budget._isStuck && budget.MayServe(isInOrder, budget.Limit - budget._stuckBytes))
                {
                    budget.LeaveOut();
                    hasChanged = true;
                }

                isAny |= budget._isStuck;
            }
        }
        while (hasChanged);
        return isAny;
    }

    /// <summary>Whether a request here fits in some room: the first one, or one that may pass it.</summary>
    private bool MayServe(bool isInOrder, long room)
    {
        BudgetWaiter? waiter = _queue.First;
        bool fits = waiter!.Bytes <= room;
        while (!isInOrder && !fits && waiter is not null)
        {
            fits = waiter.Held > 0 && waiter.Bytes <= room;
            waiter = BudgetWaiter.InQueue.Of(waiter).Next;
        }

        return fits;
    }

    /// <summary>Takes what the requests here keep for bytes that others may wait for.</summary>
    private void LeaveOut()
    {
        _isStuck = false;
        for (BudgetWaiter? waiter = _queue.First; waiter is not null; waiter = BudgetWaiter.InQueue.Of(waiter).Next)
        {
            bool isBelow = true;
            for (BufferBudget? budget = waiter.Budget; budget is not null; budget = budget.Parent)
            {
                isBelow &= budget != this;
                budget._stuckBytes -= waiter.Held + (isBelow ? waiter.Bytes : 0);
            }
        }
    }

    /// <summary>The oldest request at a marked budget that fits there now and whose owner holds bytes, or null.</summary>
    private BudgetWaiter? FindFitting()
    {
        BudgetWaiter? oldest = null;
        for (BufferBudget? budget = _tree.Waited.First; budget is not null; budget = budget._treeLinks.Next)
        {
            BudgetWaiter? waiter = budget._isStuck ? budget._queue.First : null;
            for (; waiter is not null; waiter = BudgetWaiter.InQueue.Of(waiter).Next)
            {
                bool fits = waiter.Held > 0 && waiter.Bytes <= budget.Limit - budget._inUse;
                oldest = fits && (oldest is null || waiter.Number < oldest.Number) ? waiter : oldest;
            }
        }

        return oldest;
    }

    /// <summary>The youngest request at a marked budget whose owner holds bytes.</summary>
    private BudgetWaiter FindYoungest()
    {
        BudgetWaiter? youngest = null;
        for (BufferBudget? budget = _tree.Waited.First; budget is not null; budget = budget._treeLinks.Next)
        {
            BudgetWaiter? waiter = budget._isStuck ? budget._queue.First : null;
            for (; waiter is not null; waiter = BudgetWaiter.InQueue.Of(waiter).Next)
            {
                youngest = waiter.Held > 0 && (youngest is null || waiter.Number > youngest.Number) ? waiter : youngest;
            }
        }

        // At the uppermost of these budgets nothing is reserved, and no request is above its limit. So an owner that waits there, or at
        // another of them, holds bytes.
        return youngest!;
    }

    /// <summary>The neighbors among the budgets of a tree at which requests wait.</summary>
    internal readonly struct InTree : ILinks<BufferBudget>
    {
        public static ref Links<BufferBudget> Of(BufferBudget item) => ref item._treeLinks;
    }
}
