namespace Tarn;

/// <summary>The bytes that one heap has taken from a budget: the sizes of its blocks in use.</summary>
internal sealed class HeapBudget(BufferBudget budget, TimeSpan timeout)
{
    private long _bytes;

    /// <exception cref="BufferBudgetExceededException">The budget had no room in time; nothing has changed.</exception>
    internal void Take(nuint size)
    {
        // No budget has room for sizes that no long holds.
        long bytes = (long)Math.Min(size, long.MaxValue);
        BudgetCredit.Take(budget, bytes, timeout);
        Interlocked.Add(ref _bytes, bytes);
    }

    internal void Return(nuint size)
    {
        Interlocked.Add(ref _bytes, -(long)size);
        BudgetCredit.Return(budget, (long)size);
    }

    /// <summary>Lets no call of this thread wait until the returned value is disposed.</summary>
    internal BudgetCredit NeverWait() => BudgetCredit.Use(budget, taken: 0);

    /// <summary>Takes what a block is larger than before, or returns what it is smaller.</summary>
    internal void Change(nuint oldSize, nuint newSize)
    {
        if (newSize > oldSize)
        {
            Take(newSize - oldSize);
        }
        else
        {
            Return(oldSize - newSize);
        }
    }

    /// <summary>Returns the bytes of all blocks, which ended with the heap.</summary>
    internal void ReturnAll() => budget.Return(Interlocked.Exchange(ref _bytes, 0));
}
