namespace Tarn;

/// <content>Creates and opens rings by name.</content>
public sealed unsafe partial class SharedRing
{
    /// <summary>Creates an empty ring. Other processes see the complete ring or none.</summary>
    /// <param name="name">A name that no region or ring has, by the rules of <see cref="SharedRegion"/>.</param>
    /// <param name="capacity">
    /// The bytes of messages to hold, from 1 to 1 GiB; see <see cref="Capacity"/>. The ring takes half as much memory again.
    /// </param>
    /// <param name="options">
    /// How to create it; null for the defaults, which remove the name when this process disposes the ring. Processes that have the ring
    /// open can still use it then, but no successor can open it.
    /// </param>
    /// <returns>The ring. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is not from 1 to 1 GiB.</exception>
    /// <exception cref="IOException">
    /// The name is in use, the system lacks that much shared memory, or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    public static SharedRing Create(string name, int capacity, SharedRegionOptions? options = null) =>
        Create(NamedMemory.Current, name, capacity, options);

    /// <summary>Opens a ring. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="options">
    /// Whether another user's ring may be opened, whether calls wait for a successor, and whether tasks may continue on the thread that
    /// waits; null for the defaults. The other options have no effect: the ring is as it was created.
    /// </param>
    /// <returns>The ring. The caller must dispose it; the name remains.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="FileNotFoundException">There is no ring of that name.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a ring, has another version, or is truncated; the message says which.
    /// </exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created the ring and the options do not allow that.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    public static SharedRing Open(string name, SharedRegionOptions? options = null) => Open(NamedMemory.Current, name, options);

    /// <summary>
    /// Opens a ring, or creates it if there is none. When several processes do so at once, one creates it and the others open it. So it
    /// does not matter which side starts first, or starts again.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="capacity">
    /// The bytes of messages to hold, as for <see cref="Create(string, int, SharedRegionOptions?)"/>: the same for all processes.
    /// </param>
    /// <param name="options">
    /// How to create it, whether another user's ring may be opened, and whether calls wait for a successor; null for the defaults. Where
    /// either side may restart, set <see cref="SharedRegionOptions.DeleteOnDispose"/> to false. Otherwise the name goes with the process
    /// that created the ring, and its successor creates another ring.
    /// </param>
    /// <returns>The ring. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is not from 1 to 1 GiB.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a ring, has another version, or is truncated; the message says which.
    /// </exception>
    /// <exception cref="IOException">
    /// The ring exists with another capacity, the system lacks that much shared memory, or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created the ring and the options do not allow that.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    public static SharedRing CreateOrOpen(string name, int capacity, SharedRegionOptions? options = null) =>
        CreateOrOpen(NamedMemory.Current, name, capacity, options);

    /// <summary>Opens a ring; waits until another process has created it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes.</param>
    /// <param name="options">As for <see cref="Open(string, SharedRegionOptions?)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The ring. The caller must dispose it; the name remains.</returns>
    /// <remarks>No system tells when a name appears: the call looks for it up to 20 times a second, and holds its thread.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="TimeoutException">There is no ring of that name after the timeout.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a ring, has another version, or is truncated; the message says which.
    /// </exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created the ring and the options do not allow that.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    public static SharedRing OpenWhenCreated(
        string name, TimeSpan timeout, SharedRegionOptions? options = null, CancellationToken cancellationToken = default) =>
        OpenWhenCreated(NamedMemory.Current, name, timeout, options, cancellationToken);

    internal static SharedRing Create(NamedMemory names, string name, int capacity, SharedRegionOptions? options = null) =>
        Over(SharedRegion.Create(names, name, SizeFor(capacity), options, RegionKind.Ring), options);

    internal static SharedRing Open(NamedMemory names, string name, SharedRegionOptions? options = null) =>
        Over(SharedRegion.Open(names, name, RegionKind.Ring, options), options);

    internal static SharedRing CreateOrOpen(NamedMemory names, string name, int capacity, SharedRegionOptions? options = null) =>
        Over(SharedRegion.CreateOrOpen(names, name, SizeFor(capacity), options, RegionKind.Ring), options);

    internal static SharedRing OpenWhenCreated(
        NamedMemory names, string name, TimeSpan timeout, SharedRegionOptions? options, CancellationToken cancellationToken) =>
        Over(RegionArrival.Await(names, name, RegionKind.Ring, timeout, options, cancellationToken), options);

    /// <summary>Returns the size of the region for a ring.</summary>
    private static long SizeFor(int capacity) => capacity is > 0 and <= RingHeader.MostCapacity
        ? RingHeader.RegionSize(RingHeader.RoundUp(capacity))
        : throw new ArgumentOutOfRangeException(
            nameof(capacity), capacity, $"The capacity must lie between 1 and {RingHeader.MostCapacity} bytes.");

    private static SharedRing Over(SharedRegion region, SharedRegionOptions? options)
    {
        try
        {
            return new SharedRing(region, options);
        }
        catch
        {
            region.Dispose();
            throw;
        }
    }
}
