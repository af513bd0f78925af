namespace Tarn;

/// <content>Creates and opens queues by name.</content>
public sealed unsafe partial class SharedQueue
{
    /// <summary>Creates an empty queue. Other processes see the complete queue or none.</summary>
    /// <param name="name">A name that no region, ring or queue has, by the rules of <see cref="SharedRegion"/>.</param>
    /// <param name="capacity">The messages to hold, from 1 to 1,048,576; see <see cref="Capacity"/>.</param>
    /// <param name="maxMessageLength">
    /// The length of the longest message in bytes, from 1 to 256 MiB. Each of the messages takes as much memory and 16 bytes more, rounded
    /// up to a multiple of 64, whatever its length.
    /// </param>
    /// <param name="options">
    /// How to create it; null for the defaults, which remove the name when this process disposes the queue. Processes that have the queue
    /// open can still use it then, but no other one can open it. <see cref="SharedRegionOptions.AwaitsSuccessor"/> has no effect.
    /// </param>
    /// <returns>The queue. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="capacity"/> or <paramref name="maxMessageLength"/> is outside its limits.
    /// </exception>
    /// <exception cref="IOException">
    /// The name is in use, the system lacks that much shared memory, or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    public static SharedQueue Create(string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null) =>
        Create(NamedMemory.Current, name, capacity, maxMessageLength, options);

    /// <summary>Opens a queue. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="options">
    /// Whether another user's queue may be opened, and whether tasks may continue on the thread that waits; null for the defaults. The
    /// other options have no effect: the queue is as it was created.
    /// </param>
    /// <returns>The queue. The caller must dispose it; the name remains.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="FileNotFoundException">There is no queue of that name.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a queue, has another version, or is truncated; the message says which.
    /// </exception>
    /// <exception cref="InvalidOperationException">60 objects have the queue open.</exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created the queue and the options do not allow that.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    public static SharedQueue Open(string name, SharedRegionOptions? options = null) => Open(NamedMemory.Current, name, options);

    /// <summary>
    /// Opens a queue, or creates it if there is none. When several processes do so at once, one creates it and the others open it.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="capacity">The messages to hold: the same for all processes.</param>
    /// <param name="maxMessageLength">The length of the longest message in bytes: the same for all processes.</param>
    /// <param name="options">
    /// How to create it, and whether another user's queue may be opened; null for the defaults. Where any process may restart, set
    /// <see cref="SharedRegionOptions.DeleteOnDispose"/> to false. Otherwise the name goes with the process that created the queue.
    /// </param>
    /// <returns>The queue. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="capacity"/> or <paramref name="maxMessageLength"/> is outside its limits.
    /// </exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a queue, has another version, or is truncated; the message says which.
    /// </exception>
    /// <exception cref="InvalidOperationException">60 objects have the queue open.</exception>
    /// <exception cref="IOException">
    /// The queue exists with another capacity or message length, the system lacks that much shared memory, or the system refuses for
    /// another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created the queue and the options do not allow that.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks that much address space.</exception>
    public static SharedQueue CreateOrOpen(string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null) =>
        CreateOrOpen(NamedMemory.Current, name, capacity, maxMessageLength, options);

    /// <summary>Opens a queue; waits until another process has created it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes.</param>
    /// <param name="options">As for <see cref="Open(string, SharedRegionOptions?)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The queue. The caller must dispose it; the name remains.</returns>
    /// <remarks>No system tells when a name appears: the call looks for it up to 20 times a second, and holds its thread.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="TimeoutException">There is no queue of that name after the timeout.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <inheritdoc cref="Open(string, SharedRegionOptions?)" path="/exception[not(contains(@cref, 'FileNotFound'))]"/>
    public static SharedQueue OpenWhenCreated(
        string name, TimeSpan timeout, SharedRegionOptions? options = null, CancellationToken cancellationToken = default) =>
        Over(RegionArrival.Await(NamedMemory.Current, name, RegionKind.Queue, timeout, options, cancellationToken), options);

    internal static SharedQueue Create(
        NamedMemory names, string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null) =>
        Over(SharedRegion.Create(
            names, name, SizeFor(capacity, maxMessageLength), options, RegionKind.Queue, maxMessageLength), options);

    internal static SharedQueue Open(NamedMemory names, string name, SharedRegionOptions? options = null) =>
        Over(SharedRegion.Open(names, name, RegionKind.Queue, options), options);

    internal static SharedQueue CreateOrOpen(
        NamedMemory names, string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null) =>
        Over(SharedRegion.CreateOrOpen(
            names, name, SizeFor(capacity, maxMessageLength), options, RegionKind.Queue, maxMessageLength), options);

    /// <summary>Returns the size of the region for a queue.</summary>
    private static long SizeFor(int capacity, int maxMessageLength)
    {
        SlotLimits.ThrowUnlessInside(capacity, maxMessageLength);
        return QueueHeader.RegionSize(QueueHeader.RoundUp(capacity), maxMessageLength);
    }

    private static SharedQueue Over(SharedRegion region, SharedRegionOptions? options)
    {
        try
        {
            return new SharedQueue(region, options);
        }
        catch
        {
            region.Dispose();
            throw;
        }
    }
}
