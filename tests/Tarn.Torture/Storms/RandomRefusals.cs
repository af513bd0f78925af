namespace Tarn.Torture.Storms;

/// <summary>Says no now and then, the same way for the same seed, on whatever threads it is asked.</summary>
/// <param name="seed">The seed of the random answers.</param>
/// <param name="oneIn">Of so many questions one is refused.</param>
internal sealed class RandomRefusals(int seed, int oneIn)
{
    private long _asked;
    private long _refused;

    /// <summary>How many were refused.</summary>
    internal long Refused => Volatile.Read(ref _refused);

    /// <summary>Whether this one is refused.</summary>
    internal bool Next()
    {
        ulong hash = ((ulong)(uint)seed << 32) + (ulong)Interlocked.Increment(ref _asked);
        hash = (hash ^ (hash >> 31)) * 0x9E37_79B9_7F4A_7C15;
        hash = (hash ^ (hash >> 29)) * 0xBF58_476D_1CE4_E5B9;
        bool refused = (hash >> 33) % (uint)oneIn == 0;
        if (refused)
        {
            Interlocked.Increment(ref _refused);
        }

        return refused;
    }

    /// <exception cref="OutOfMemoryException">This one is refused.</exception>
    internal void ThrowNowAndThen()
    {
        if (Next())
        {
            throw new OutOfMemoryException("This was refused on purpose.");
        }
    }
}
