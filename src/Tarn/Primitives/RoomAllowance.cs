namespace Tarn;

/// <summary>
/// What a thread may keep free over all size classes without having earned it (<see cref="RoomLimit"/>): a little of each class, and loans.
/// </summary>
internal static class RoomAllowance
{
    /// <summary>All of it, in bytes.</summary>
    internal const long Bytes = 512 << 10;

    /// <summary>
    /// The part that is lent to the classes that a thread uses most. The classes up to 16 KiB, of which each thread may keep one buffer in
    /// any case, make 104 KiB.
    /// </summary>
    private const long Lendable = 400 << 10;

    /// <summary>With a smaller cap, less is lent, in proportion.</summary>
    private const long CapForAll = 16 << 20;

    /// <summary>What a thread can lend under a cap, in bytes.</summary>
    internal static long LendableBytes(long cap) => Lendable * Math.Min(cap, CapForAll) / CapForAll;

    /// <summary>What a class may borrow at once: half of what is left, so that there is always some for the next.</summary>
    internal static long BorrowableBytes(long lendable, long lent) => (lendable - lent) / 2;
}
