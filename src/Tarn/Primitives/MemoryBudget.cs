namespace Tarn;

/// <summary>A hard cap on bytes: what was granted and not given back never passes <see cref="Limit"/> as it stood at the grant.</summary>
/// <remarks>
/// Only slow paths ask: a thread cache asks for room for several buffers at once and then fills and empties it without asking, so what
/// is granted is an upper bound of what is kept. All members are safe to call from any thread.
/// </remarks>
internal sealed class MemoryBudget(long limit)
{
    private long _limit = limit;
    private long _granted;

    /// <summary>The cap in bytes; lowering it takes nothing back by itself.</summary>
    internal long Limit
    {
        get => Volatile.Read(ref _limit);
        set => Volatile.Write(ref _limit, value);
    }

    /// <summary>Bytes granted and not yet given back.</summary>
    internal long Granted => Volatile.Read(ref _granted);

    /// <summary>Grants <paramref name="bytes"/>, or nothing at all.</summary>
    internal bool TryReserve(long bytes)
    {
        long granted = Volatile.Read(ref _granted);
        while (bytes <= Limit - granted)
        {
            long seen = Interlocked.CompareExchange(ref _granted, granted + bytes, granted);
            if (seen == granted)
            {
                return true;
            }

            granted = seen;
        }

        return false;
    }

    /// <summary>Gives granted bytes back.</summary>
    internal void Release(long bytes) => Interlocked.Add(ref _granted, -bytes);
}
