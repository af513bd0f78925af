using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <content>Who waits for what, and the comparison with the models.</content>
internal sealed partial class Company
{
    private readonly List<WaitingCall> _waits = [];

    /// <summary>
    /// Starts a call that lacks bytes of a budget. It waits until the model grants them, or is refused where it would never end.
    /// </summary>
    /// <returns>Whether it waits, or was granted its bytes meanwhile.</returns>
    internal bool Wait(
        Owner owner, string call, BudgetNode node, long bytes, Func<CancellationToken, Task> start, Action onGranted)
    {
        CancellationTokenSource source = new();
        Task task = start(source.Token);
        _lines.Add($"  {call} asks {node} for {bytes} bytes");
        if (node.Model.Ask(bytes) is not { } request)
        {
            Require.That(
                Ends(task).InnerException is BufferBudgetExceededException,
                $"#{owner.Number}.{call} asks {node} for more than a limit, {bytes} bytes, and is not refused: {Describe(task)}.");
            return false;
        }

        WaitingCall wait = new(owner, call, node, request, task, source, onGranted);
        owner.Waiting = wait;
        _waits.Add(wait);
        if (!request.IsGranted && IsTooMuch(wait))
        {
            EndOf(wait, "which with what it has is more than a limit", static e => e is BufferBudgetExceededException);
            Require.That(task.IsFaulted, $"{wait}, is more than a limit with what #{owner.Number} has, and was granted.");
            return false;
        }

        EndDeadlocks();
        return owner.Waiting is not null || request.IsGranted;
    }

    /// <summary>Grants in the model, charges what owners took and returned, and compares all budgets with it.</summary>
    internal void Settle()
    {
        long[] held = new long[MostBudgets];
        foreach (Owner owner in _owners.Values)
        {
            if (owner.Waiting is null)
            {
                Charge(owner, held);
            }
        }

        while (_waits.Find(static wait => wait.Request.IsGranted) is { } granted)
        {
            Exception? failure = Ends(granted.Task, granted.ToString()).InnerException;
            Require.That(failure is null, $"{granted}, was granted them, and failed: {failure}");
            granted.Owner.Waiting = null;
            granted.Owner.Charged[granted.Node.Index] += granted.Request.Bytes;
            _waits.Remove(granted);
            granted.Source.Dispose();
            _lines.Add($"  #{granted.Owner.Number}.{granted.Call} goes on");
            granted.OnGranted();
            Charge(granted.Owner, held);
            EndDeadlocks();
        }

        EndDeadlocks();
        Compare();
        foreach (Owner owner in _owners.Values.Where(static owner => owner is { IsOver: false, Waiting: null }))
        {
            owner.Verify();
        }

        Heard?.Verify();
    }

    /// <summary>Ends an owner. If it waits, that ends with it.</summary>
    internal void End(Owner owner, Action end)
    {
        WaitingCall? wait = owner.Waiting;
        end();
        if (wait is not null && owner.Waiting == wait && owner.IsOver)
        {
            EndOf(wait, $"although #{owner.Number} has ended", static e => e is ObjectDisposedException or OperationCanceledException);
        }
    }

    /// <summary>A wait ends without a grant: its task must end with an exception that says so.</summary>
    internal void EndOf(WaitingCall wait, string why, Func<Exception, bool> isAllowed)
    {
        Exception? end = Ends(wait.Task, $"{wait}, {why},").InnerException;
        Require.That(end is null || isAllowed(end), $"{wait}, {why}, ended with {end}");
        Withdraw(wait);
    }

    /// <summary>Ends everything. Those that wait are granted their bytes as others end; who waits then, waited for ever.</summary>
    internal void EndAll()
    {
        _lines.Add("all end");
        while (_owners.Values.FirstOrDefault(static owner => owner is { IsOver: false, Waiting: null }) is { } owner)
        {
            _lines.Add($"#{owner.Number}: disposed");
            End(owner, owner.Dispose);
            Settle();
        }

        foreach (Owner owner in _owners.Values.Where(static owner => !owner.IsOver))
        {
            End(owner, owner.Dispose);
        }

        Settle();
        foreach (Owner owner in _owners.Values)
        {
            owner.DisposeAgain();
        }

        VerifyEnd();
    }

    private void VerifyEnd()
    {
        Settle();
        foreach (BudgetNode node in _nodes)
        {
            Require.Equal((0L, 0), (node.Budget.InUse, node.Budget.Waiting), $"Bytes in use of {node} and requests that wait, at the end");
        }

        foreach (BufferPool<byte> pool in _pools)
        {
            BufferPoolStatistics end = pool.GetStatistics();
            (long lost, int count) = _lost.GetValueOrDefault(pool);
            Require.Equal(
                (lost, end.Rented - count), (end.InUseBytes, end.Returned), "Bytes of a pool in use, and arrays returned, at the end");
            pool.Core.Validate();
        }

        Require.Equal(0, Heap.GetStatistics().InUseBytes, "Bytes of the heap in use, at the end");
        Heap.Validate();
        Heard?.VerifyEnd();
        Heard?.Dispose();
        Heap.Dispose();
        Heap.Dispose();
        _system?.AssertNothingLeaks();
        Require.That(_nodes.TrueForAll(static node => node.Budget.InUse == 0), "The heap's disposal changed its budget.");
    }

    private void Cancel(WaitingCall wait)
    {
        _lines.Add($"#{wait.Owner.Number}.{wait.Call} is cancelled");
        wait.Source.Cancel();
        EndOf(wait, "cancelled", static e => e is OperationCanceledException);
    }

    private void Withdraw(WaitingCall wait)
    {
        wait.Owner.Waiting = null;
        _waits.Remove(wait);
        wait.Source.Dispose();
        if (!wait.Request.IsGranted)
        {
            wait.Node.Model.Withdraw(wait.Request);
        }
        else
        {
            wait.Node.Model.Return(wait.Request.Bytes);
        }

        wait.Owner.OnWaitEnded();
    }

    /// <summary>Tells the models what an owner took and returned since the last time.</summary>
    private void Charge(Owner owner, long[] held)
    {
        Array.Clear(held);
        if (!owner.IsOver)
        {
            owner.Charge(held);
        }

        for (int index = 0; index < _nodes.Count; index++)
        {
            long more = held[index] - owner.Charged[index];
            if (more > 0)
            {
                Require.That(
                    _nodes[index].Model.TryTake(more),
                    $"#{owner.Number} took {more} bytes of {_nodes[index]}, which has no room for them or lets others wait.");
            }
            else if (more < 0)
            {
                _nodes[index].Model.Return(-more);
            }

            owner.Charged[index] = held[index];
        }
    }

    private void Compare()
    {
        foreach (BudgetNode node in _nodes)
        {
            Require.That(
                (node.Model.InUse, node.Model.Waiting) == (node.Budget.InUse, node.Budget.Waiting),
                $"{node} has {node.Budget.InUse} bytes in use and {node.Budget.Waiting} requests that wait; its owners hold "
                + $"{node.Model.InUse}, and {node.Model.Waiting} wait ({string.Join("; ", _waits)}).");
        }

        foreach (WaitingCall wait in _waits)
        {
            Require.That(!wait.Task.IsCompleted, $"{wait}, ended without them: {Describe(wait.Task)}.");
        }
    }

    /// <summary>Whether a request, with what its owner keeps meanwhile, is above a limit.</summary>
    private bool IsTooMuch(WaitingCall wait) =>
        _nodes.Take(wait.Node.Index + 1).Any(node => wait.Request.Bytes > node.Model.Limit - Kept(wait, node, withRequest: false));

    /// <summary>
    /// While the first requests of some budgets can never be served, because those that wait keep too much, one of them must end: it is
    /// refused, or granted past the others. Which of them is the library's choice.
    /// </summary>
    private void EndDeadlocks()
    {
        while (FindStuck() is { Count: > 0 } stuck)
        {
            WaitingCall[] candidates =
                [.. _waits.Where(wait => !wait.Request.IsGranted && Kept(wait, wait.Node, withRequest: false) > 0)];
            int first = candidates.Length == 0 ? -1 : Task.WaitAny([.. candidates.Select(static wait => wait.Task)], _patience);
            Require.That(first >= 0, $"{string.Join("; ", stuck)}: waits for ever, since those that wait keep too much of the budget.");
            WaitingCall ended = candidates[first];
            if (ended.Task.IsCompletedSuccessfully)
            {
                _lines.Add($"  #{ended.Owner.Number}.{ended.Call} is granted past others, which wait for it");
                ended.Node.Model.GrantPast(ended.Request);
            }
            else
            {
                _lines.Add($"  #{ended.Owner.Number}.{ended.Call} is refused, because it would wait for ever");
                EndOf(ended, "which would never end", static e => e is BufferBudgetExceededException);
            }
        }
    }

    /// <summary>
    /// The first requests that can never be served: what the requests that wait keep leaves too little, whatever all others return. A
    /// budget whose first request can be served is left out with all that wait there, since they go on one after the other.
    /// </summary>
    private List<WaitingCall> FindStuck()
    {
        List<BudgetNode> stuck = [.. _nodes.Where(static node => node.Model.Queue.Count > 0)];
        List<WaitingCall> keeping = [.. _waits.Where(static wait => wait.Request.At is not null)];
        while (stuck.Find(node => node.Model.Queue[0].Bytes <= node.Model.Limit - keeping.Sum(wait => Kept(wait, node))) is { } served)
        {
            stuck.Remove(served);
            keeping.RemoveAll(wait => wait.Request.At == served.Model);
        }

        return [.. stuck.Select(node => _waits.Find(wait => wait.Request == node.Model.Queue[0])!)];
    }

    /// <summary>What a request that waits keeps of a budget: its owner's bytes, and those reserved for it.</summary>
    private static long Kept(WaitingCall wait, BudgetNode node, bool withRequest = true)
    {
        long held = wait.Owner.KeepsWhileWaiting ? wait.Owner.Charged.Skip(node.Index).Sum() : 0;
        bool isReserved = withRequest && node.Index <= wait.Node.Index && node.Index > wait.AtIndex;
        return held + (isReserved ? wait.Request.Bytes : 0);
    }

    /// <summary>Waits for the end of a task. The deadline only makes a finding of a wait that would never end.</summary>
    private (bool HasEnded, Exception? InnerException) Ends(Task task, string what = "A call that is refused")
    {
        try
        {
            Require.That(task.Wait(_patience), $"{what} does not end.");
            return (true, null);
        }
        catch (AggregateException e)
        {
            return (true, e.InnerException);
        }
    }

    /// <summary>A call that something else must have ended by now.</summary>
    internal void MustEnd(Task? task, string what, bool mayFail = false)
    {
        if (task is not null)
        {
            Exception? failure = Ends(task, what).InnerException;
            Require.That(failure is null || mayFail, $"{what} failed: {failure}");
        }
    }

    private static string Describe(Task task) => task.Exception?.InnerException?.ToString() ?? task.Status.ToString();
}
