namespace Tarn;

/// <summary>How many blocks of a class a thread may keep, as a function of the class's block size.</summary>
internal static class BlockRoom
{
    /// <summary>
    /// The bytes that a thread may keep over all classes without earning them: a little for each class, and a rest that is lent to classes
    /// on the slow path.
    /// </summary>
    internal const long UnearnedBytes = 512 << 10;

    /// <summary>The part that is lent, in bytes.</summary>
    internal const long LentBytes = 432 << 10;

    /// <summary>The most blocks a magazine holds: their pointers fill an OS page.</summary>
    internal const int MaxCapacity = 512;

    /// <summary>Below this cap, unearned room shrinks in proportion to the cap.</summary>
    private const long CapForAll = 16 << 20;

    /// <summary>The most bytes of blocks a magazine holds, unless that allows only a few blocks.</summary>
    private const nuint MaxMagazineBytes = 512 << 10;

    private const int LeastMaxCapacity = 16;

    /// <summary>The most blocks a magazine of the class holds; a thread has two.</summary>
    internal static int MaxCapacityOf(nuint blockSize) => (int)Math.Clamp(MaxMagazineBytes / blockSize, LeastMaxCapacity, MaxCapacity);

    /// <summary>The blocks of a class that every thread may keep when the cap is <paramref name="cap"/>.</summary>
    /// <remarks>
    /// Over all classes, these blocks take less than the part of <see cref="UnearnedBytes"/> that is not lent. A test verifies the sum.
    /// </remarks>
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
    /// How many blocks of a class a thread may borrow when <paramref name="lent"/> bytes are already lent to other classes: half of what is
    /// left, so that the next class finds some too.
    /// </summary>
    internal static int BorrowableOf(nuint blockSize, long lent, long cap) => (int)((Scale(LentBytes, cap) - lent) / 2 / (long)blockSize);

    private static long Scale(long amount, long cap) => amount * Math.Min(cap, CapForAll) / CapForAll;
}
