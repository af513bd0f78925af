namespace Tarn.SharedMemory;

/// <content>Creates and opens topics by name.</content>
public sealed unsafe partial class SharedTopic : INamedContents<SharedTopic>
{
    /// <summary>Creates an empty topic. Other processes see the complete topic or none.</summary>
    /// <param name="name">A name that nothing else in shared memory has, by the rules of <see cref="SharedRegion"/>.</param>
    /// <param name="capacity">The messages to keep, from 1 to 1,048,576; see <see cref="Capacity"/>.</param>
    /// <param name="maxMessageLength">
    /// The length of the longest message in bytes, from 1 to 256 MiB. Each of the messages takes as much memory and 8 bytes more, rounded
    /// up to a multiple of 8, whatever its length, and there is room for a sixteenth more messages than are kept.
    /// </param>
    /// <param name="options">
    /// How to create it; null for the defaults, which remove the name when this process disposes the topic. Processes that have the topic
    /// open can still use it then, but no other one can open it.
    /// </param>
    /// <returns>The topic. The caller must dispose it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="capacity"/> or <paramref name="maxMessageLength"/> is outside its limits.
    /// </exception>
    /// <inheritdoc cref="SharedRegion.Create(string, long, SharedRegionOptions?)" path="/exception[not(contains(@cref, 'OutOfRange'))]"/>
    public static SharedTopic Create(string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null) =>
        Create(NamedMemory.Current, name, capacity, maxMessageLength, options);

    /// <summary>Opens a topic. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <returns>The topic. The caller must dispose it; the name remains.</returns>
    /// <inheritdoc cref="SharedRegion.Open(string, bool)" path="/exception"/>
    public static SharedTopic Open(string name, bool allowOtherUsers = false) => Open(NamedMemory.Current, name, allowOtherUsers);

    /// <summary>
    /// Opens a topic, or creates it if there is none. When several processes do so at once, one creates it and the others open it. So
    /// it does not matter which one starts first, or starts again.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="capacity">The messages to keep: the same for all processes.</param>
    /// <param name="maxMessageLength">The length of the longest message in bytes: the same for all processes.</param>
    /// <param name="options">
    /// How to create it if it is created; null for the defaults. Where any process may restart, set
    /// <see cref="SharedRegionOptions.DeleteOnDispose"/> to false. Otherwise the name goes with the process that created the topic.
    /// </param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <returns>The topic. The caller must dispose it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="capacity"/> or <paramref name="maxMessageLength"/> is outside its limits.
    /// </exception>
    /// <inheritdoc cref="SharedRegion.CreateOrOpen(string, long, SharedRegionOptions?, bool)"
    /// path="/exception[not(contains(@cref, 'OutOfRange'))]"/>
    public static SharedTopic CreateOrOpen(
        string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null, bool allowOtherUsers = false) =>
        CreateOrOpen(NamedMemory.Current, name, capacity, maxMessageLength, options, allowOtherUsers);

    /// <summary>Opens a topic; waits until another process has created it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes.</param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The topic. The caller must dispose it; the name remains.</returns>
    /// <remarks>No system tells when a name appears: the call looks for it up to 20 times a second, and holds its thread.</remarks>
    /// <inheritdoc cref="SharedRegion.OpenWhenCreated" path="/exception"/>
    public static SharedTopic OpenWhenCreated(
        string name, TimeSpan timeout, bool allowOtherUsers = false, CancellationToken cancellationToken = default) =>
        NamedContents.OpenWhenCreated<SharedTopic>(NamedMemory.Current, name, timeout, allowOtherUsers, cancellationToken);

    /// <inheritdoc/>
    static RegionKind INamedContents<SharedTopic>.Kind => RegionKind.Topic;

    /// <inheritdoc/>
    static SharedTopic INamedContents<SharedTopic>.Over(SharedRegion region) => new(region);

    internal static SharedTopic Create(
        NamedMemory names, string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null) =>
        NamedContents.Create<SharedTopic>(names, name, TopicHeader.ShapeOf(capacity, maxMessageLength), options);

    internal static SharedTopic Open(NamedMemory names, string name, bool allowOtherUsers = false) =>
        NamedContents.Open<SharedTopic>(names, name, allowOtherUsers);

    internal static SharedTopic CreateOrOpen(
        NamedMemory names, string name, int capacity, int maxMessageLength, SharedRegionOptions? options = null,
        bool allowOtherUsers = false) =>
        NamedContents.CreateOrOpen<SharedTopic>(names, name, TopicHeader.ShapeOf(capacity, maxMessageLength), options, allowOtherUsers);
}
