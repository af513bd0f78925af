namespace Tarn;

/// <content>Room for idle buffers: asked of the budget, and of the class's own where the number of arrays of a length is limited.</content>
internal sealed partial class PoolCore
{
    /// <summary>A magazine holds at most this many buffers, and at most this many bytes unless that is less than one buffer.</summary>
    private const int MaxMagazineCapacity = 128;

    private const long MaxMagazineBytes = 8 << 20;

    /// <summary>A magazine's room is at most this share of the cap.</summary>
    private const int LeastMagazinesInCap = 16;

    /// <summary>
    /// How many buffers of a size a magazine holds: with a tight cap fewer, because the room in every magazine on the way from thread
    /// to thread is counted.
    /// </summary>
    private int CapacityOf(long bytes) =>
        (int)Math.Clamp(
            Math.Min(MaxMagazineBytes, Budget.Cap / LeastMagazinesInCap) / bytes, 1, Math.Min(MaxMagazineCapacity, _maxBuffersPerClass));

    /// <summary>
    /// A magazine with room for <paramref name="extending"/> and as many more as the cap allows: all that are wanted, half of them, a
    /// quarter … or null for none.
    /// </summary>
    private ArrayReference[]? ReserveSlots(ClassState state, int wanted, ArrayReference[] extending)
    {
        while (wanted > 0 && !TryReserve(state.Index, wanted * state.Bytes))
        {
            wanted /= 2;
        }

        if (wanted == 0)
        {
            return null;
        }

        try
        {
            return wanted == CapacityOf(state.Bytes)
                ? DepotOf(state.Index).TakeEmpty(wanted)
                : new ArrayReference[extending.Length + wanted];
        }
        catch (OutOfMemoryException)
        {
            Release(state.Index, wanted * state.Bytes);
            return null;
        }
    }

    private bool TryReserve(uint index, long bytes)
    {
        MemoryBudget? classBudget = ClassBudgetOf(index);
        if (classBudget is not null && !classBudget.TryReserve(bytes))
        {
            return false;
        }

        if (Budget.TryReserve(bytes))
        {
            Schedule.Wake();
            return true;
        }

        classBudget?.Release(bytes);
        return false;
    }

    private void Release(uint index, long bytes)
    {
        ClassBudgetOf(index)?.Release(bytes);
        Budget.Release(bytes);
    }

    /// <summary>The cap of one class, for pools that limit the number of arrays of a length.</summary>
    private MemoryBudget? ClassBudgetOf(uint index)
    {
        if (_classBudgets is null)
        {
            return null;
        }

        MemoryBudget? budget = Volatile.Read(ref _classBudgets[index]);
        if (budget is null)
        {
            long bytes = (long)LengthOf(index) * ElementSize;
            MemoryBudget mine = new(_maxBuffersPerClass > long.MaxValue / bytes ? long.MaxValue : bytes * _maxBuffersPerClass);
            budget = Interlocked.CompareExchange(ref _classBudgets[index], mine, null) ?? mine;
        }

        return budget;
    }
}
