namespace Tarn;

/// <content>Returns by the owners in the library, which have nobody to tell of others' mistakes.</content>
public sealed partial class BufferBudget
{
    /// <summary>
    /// Gives bytes back that an owner took. If a program called <see cref="Return"/> with more than it had taken, fewer are left in use,
    /// and only these are given back: a buffer that comes back, and a finalizer, must not fail for that.
    /// </summary>
    internal void ReturnHeld(long bytes)
    {
        _tree.Lock.Enter();
        bool isWaitedFor = false;
        for (BufferBudget? budget = this; budget is not null; budget = budget.Parent)
        {
            bytes = Math.Min(bytes, budget._inUse);
            isWaitedFor |= budget._queue.First is not null;
        }

        for (BufferBudget? budget = this; budget is not null; budget = budget.Parent)
        {
            budget._inUse -= bytes;
        }

        _tree.Lock.Exit();
        if (isWaitedFor)
        {
            Serve();
        }
    }
}
