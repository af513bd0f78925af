namespace Tarn.SharedMemory;

/// <content>Creates and opens rings by name.</content>
public sealed unsafe partial class SharedRing : INamedContents<SharedRing>
{
    /// <summary>Creates an empty ring. Other processes see the complete ring or none.</summary>
    /// <param name="name">A name that nothing else in shared memory has, by the rules of <see cref="SharedRegion"/>.</param>
    /// <param name="capacity">
    /// The bytes of messages to hold, from 1 to 1 GiB; see <see cref="Capacity"/>. The ring takes half as much memory again.
    /// </param>
    /// <param name="options">
    /// How to create it; null for the defaults, which remove the name when this process disposes the ring. Processes that have the ring
    /// open can still use it then, but no other one can open it.
    /// </param>
    /// <returns>The ring. The caller must dispose it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is not from 1 to 1 GiB.</exception>
    /// <inheritdoc cref="SharedRegion.Create(string, long, SharedRegionOptions?)" path="/exception[not(contains(@cref, 'OutOfRange'))]"/>
    public static SharedRing Create(string name, int capacity, SharedRegionOptions? options = null) =>
        Create(NamedMemory.Current, name, capacity, options);

    /// <summary>Opens a ring. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <returns>The ring. The caller must dispose it; the name remains.</returns>
    /// <inheritdoc cref="SharedRegion.Open(string, bool)" path="/exception"/>
    public static SharedRing Open(string name, bool allowOtherUsers = false) => Open(NamedMemory.Current, name, allowOtherUsers);

    /// <summary>
    /// Opens a ring, or creates it if there is none. When several processes do so at once, one creates it and the others open it. So
    /// it does not matter which one starts first, or starts again.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="capacity">
    /// The bytes of messages to hold, as for <see cref="Create(string, int, SharedRegionOptions?)"/>: the same for all processes.
    /// </param>
    /// <param name="options">
    /// How to create it if it is created; null for the defaults. Where any process may restart, set
    /// <see cref="SharedRegionOptions.DeleteOnDispose"/> to false. Otherwise the name goes with the process that created the ring.
    /// </param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <returns>The ring. The caller must dispose it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is not from 1 to 1 GiB.</exception>
    /// <inheritdoc cref="SharedRegion.CreateOrOpen(string, long, SharedRegionOptions?, bool)"
    /// path="/exception[not(contains(@cref, 'OutOfRange'))]"/>
    public static SharedRing CreateOrOpen(
        string name, int capacity, SharedRegionOptions? options = null, bool allowOtherUsers = false) =>
        CreateOrOpen(NamedMemory.Current, name, capacity, options, allowOtherUsers);

    /// <summary>Opens a ring; waits until another process has created it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes.</param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The ring. The caller must dispose it; the name remains.</returns>
    /// <remarks>No system tells when a name appears: the call looks for it up to 20 times a second, and holds its thread.</remarks>
    /// <inheritdoc cref="SharedRegion.OpenWhenCreated" path="/exception"/>
    public static SharedRing OpenWhenCreated(
        string name, TimeSpan timeout, bool allowOtherUsers = false, CancellationToken cancellationToken = default) =>
        NamedContents.OpenWhenCreated<SharedRing>(NamedMemory.Current, name, timeout, allowOtherUsers, cancellationToken);

    /// <inheritdoc/>
    static RegionKind INamedContents<SharedRing>.Kind => RegionKind.Ring;

    /// <inheritdoc/>
    static SharedRing INamedContents<SharedRing>.Over(SharedRegion region) => new(region);

    internal static SharedRing Create(NamedMemory names, string name, int capacity, SharedRegionOptions? options = null) =>
        NamedContents.Create<SharedRing>(names, name, RingHeader.ShapeOf(capacity), options);

    internal static SharedRing Open(NamedMemory names, string name, bool allowOtherUsers = false) =>
        NamedContents.Open<SharedRing>(names, name, allowOtherUsers);

    internal static SharedRing CreateOrOpen(
        NamedMemory names, string name, int capacity, SharedRegionOptions? options = null, bool allowOtherUsers = false) =>
        NamedContents.CreateOrOpen<SharedRing>(names, name, RingHeader.ShapeOf(capacity), options, allowOtherUsers);
}
