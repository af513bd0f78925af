namespace Tarn;

/// <summary>
/// The free buffers that a thread may keep over all size classes without earning them (<see cref="RoomLimit"/>): a little of each class,
/// and loans.
/// </summary>
internal static class RoomAllowance
{
    /// <summary>The whole allowance, in bytes.</summary>
    internal const long Bytes = 512 << 10;

    /// <summary>
    /// The part that is lent to the classes that a thread uses most. The classes up to 16 KiB, of which every thread may keep one buffer,
    /// add up to 104 KiB.
    /// </summary>
    private const long Lendable = 400 << 10;

    /// <summary>Below this cap, less is lent, in proportion to the cap.</summary>
    private const long CapForAll = 16 << 20;

    /// <summary>Returns the bytes that a thread can lend under a cap.</summary>
    internal static long LendableBytes(long cap) => Lendable * Math.Min(cap, CapForAll) / CapForAll;

    /// <summary>Returns the bytes that a class may borrow at once: half of what is left, so that the next class finds some too.</summary>
    internal static long BorrowableBytes(long lendable, long lent) => (lendable - lent) / 2;
}
