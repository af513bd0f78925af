namespace Tarn;

/// <summary>Requests in the order of their arrival: those that wait at one budget. Not synchronized: the tree's lock guards it.</summary>
internal struct BudgetQueue
{
    internal BudgetWaiter? First { get; private set; }

    private BudgetWaiter? _last;

    internal void Append(BudgetWaiter waiter)
    {
        waiter.Previous = _last;
        waiter.Next = null;
        if (_last is null)
        {
            First = waiter;
        }
        else
        {
            _last.Next = waiter;
        }

        _last = waiter;
    }

    internal void Remove(BudgetWaiter waiter)
    {
        if (waiter.Previous is null)
        {
            First = waiter.Next;
        }
        else
        {
            waiter.Previous.Next = waiter.Next;
        }

        if (waiter.Next is null)
        {
            _last = waiter.Previous;
        }
        else
        {
            waiter.Next.Previous = waiter.Previous;
        }

        waiter.Previous = null;
        waiter.Next = null;
    }
}
