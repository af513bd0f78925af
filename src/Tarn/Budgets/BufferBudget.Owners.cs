namespace Tarn;

/// <content>What the owners in the library need: how much to ask for, and returns without anybody to tell of others' mistakes.</content>
public sealed partial class BufferBudget
{
    /// <summary>The bytes that there is room for at this moment, here and at all parents.</summary>
    private long Room => Parent is null ? Limit - InUse : Math.Min(Limit - InUse, Parent.Room);

    /// <summary>Returns less than is wanted, down to what is needed, where there is no room for as much at this moment.</summary>
    /// <remarks>
    /// It leaves up to a half of the room beyond what is needed. So an owner that grows in the last of the room does so in few steps, and
    /// others find some too.
    /// </remarks>
    /// <param name="needed">The elements that the owner cannot do without.</param>
    /// <param name="wanted">Those that it wants, so that it grows in few steps.</param>
    /// <param name="spared">Bytes that the owner has taken already, and that count for what it wants.</param>
    /// <param name="source">Where the memory comes from.</param>
    /// <param name="sizeOf">The bytes of the memory that the source provides for some elements.</param>
    internal int Fit<TSource>(int needed, int wanted, long spared, TSource source, Func<TSource, int, long> sizeOf)
    {
        long most = Room + spared;
        while (wanted > needed && sizeOf(source, wanted) > most)
        {
            wanted = needed + ((wanted - needed) / 2);
        }

        return wanted;
    }

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
