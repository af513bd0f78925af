namespace Tarn;

/// <summary>
/// Bytes that one owner took from a budget. They return once: with the owner, or when the collector finds that it is lost.
/// </summary>
/// <remarks>Without the latter, requests would wait for the bytes of a lost owner for ever.</remarks>
internal sealed class BudgetShare
{
    private readonly BufferBudget _budget;
    private long _bytes;

    /// <param name="budget">The budget.</param>
    /// <param name="bytes">Bytes that were taken from it.</param>
    internal BudgetShare(BufferBudget budget, long bytes)
    {
        _budget = budget;
        _bytes = bytes;
    }

    ~BudgetShare()
    {
        try
        {
            _budget?.ReturnHeld(Interlocked.Exchange(ref _bytes, 0));
        }
        catch (OutOfMemoryException)
        {
            // The bytes are returned. Completing the task of a request that waited for them failed, and may not end the process.
        }
    }

    /// <summary>Adds bytes that were taken from the budget.</summary>
    internal void Add(long bytes) => Interlocked.Add(ref _bytes, bytes);

    /// <summary>Returns all bytes. Further calls return what was added since.</summary>
    internal void Return()
    {
#pragma warning disable CA1816 // this ends the share as a disposal would
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
        _budget.ReturnHeld(Interlocked.Exchange(ref _bytes, 0));
    }
}
