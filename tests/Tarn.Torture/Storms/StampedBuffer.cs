using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>A rented buffer with the owner's mark at both ends: a write by anyone else is detected.</summary>
internal readonly record struct StampedBuffer(long[] Array, long Stamp)
{
    private static long s_lastStamp;

    internal static StampedBuffer Rent(BufferPool<long> pool, int length, bool exact) =>
        Mark(exact ? pool.RentExact(length) : pool.Rent(length));

    internal static StampedBuffer Mark(long[] array)
    {
        long stamp = Interlocked.Increment(ref s_lastStamp);
        array[0] = stamp;
        array[^1] = stamp;
        return new StampedBuffer(array, stamp);
    }

    /// <summary>Verifies both marks, takes them away and returns the buffer.</summary>
    internal void Return(BufferPool<long> pool, bool clear)
    {
        long first = Interlocked.Exchange(ref Array[0], -1);
        long last = Array.Length > 1 ? Interlocked.Exchange(ref Array[^1], -1) : first;
        if (first != Stamp || last != Stamp)
        {
            throw new FindingException(
                $"A buffer of {Array.Length} stamped {Stamp} holds {first} and {last}: two callers had it.");
        }

        pool.Return(Array, clear);
    }
}
