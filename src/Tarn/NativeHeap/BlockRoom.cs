namespace Tarn;

/// <summary>How many blocks of a class a thread may keep, by the class's block size alone.</summary>
internal static class BlockRoom
{
    /// <summary>
    /// What a thread may keep over all classes without having earned it, in bytes: a little of each class, and the rest lent to classes
    /// that come along the slow path.
    /// </summary>
    internal const long UnearnedBytes = 512 << 10;

    /// <summary>The part that is lent.</summary>
    internal const long LentBytes = 432 << 10;

    /// <summary>No magazine holds more blocks: its pointers fill an OS page.</summary>
    internal const int MaxCapacity = 512;

    /// <summary>With a smaller cap, what need not be earned is smaller in proportion.</summary>
    private const long CapForAll = 16 << 20;

    /// <summary>Nor more bytes of blocks, if it can hold a few at all.</summary>
    private const nuint MaxMagazineBytes = 512 << 10;

    private const int LeastMaxCapacity = 16;

    /// <summary>The most blocks a magazine of the class holds; a thread has two.</summary>
    internal static int MaxCapacityOf(nuint blockSize) => (int)Math.Clamp(MaxMagazineBytes / blockSize, LeastMaxCapacity, MaxCapacity);

    /// <summary>The blocks that a thread may keep of a class in any case, when the cap is <paramref name="cap"/>.</summary>
    /// <remarks>Over all classes it is less than what of <see cref="UnearnedBytes"/> is not lent, which a test adds up.</remarks>
    internal static int UnearnedOf(nuint blockSize, long cap)
    {
        nuint bytes = blockSize switch
        {
            <= 64 => 64 * blockSize,
            <= 1 << 10 => 2 << 10,
            <= 4 << 10 => blockSize,
            _ => 0,
        };
        return (int)Scale((long)(bytes / blockSize), cap);
    }

    /// <summary>
    /// How many blocks of a class a thread may borrow, that has lent <paramref name="lent"/> bytes to other classes: half of what is left,
    /// so that there is always some for the next.
    /// </summary>
    internal static int BorrowableOf(nuint blockSize, long lent, long cap) => (int)((Scale(LentBytes, cap) - lent) / 2 / (long)blockSize);

    private static long Scale(long amount, long cap) => amount * Math.Min(cap, CapForAll) / CapForAll;
}
