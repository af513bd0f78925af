namespace Tarn.SharedMemory;

/// <content>Creates and opens values by name.</content>
public sealed unsafe partial class SharedValue<T> : INamedContents<SharedValue<T>>
{
    /// <summary>Creates a place for a value, without a value yet.</summary>
    /// <param name="name">A name that nothing else in shared memory has, by the rules of <see cref="SharedRegion"/>.</param>
    /// <param name="options">
    /// How to create it; null for the defaults, which remove the name when this process disposes the value. Processes that have the value
    /// open can still use it then, but no other one can open it.
    /// </param>
    /// <returns>The value. The caller must dispose it.</returns>
    /// <inheritdoc cref="SharedRegion.Create(string, long, SharedRegionOptions?)" path="/exception[not(contains(@cref, 'OutOfRange'))]"/>
    public static SharedValue<T> Create(string name, SharedRegionOptions? options = null) =>
        Create(NamedMemory.Current, name, options);

    /// <summary>Opens a value. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <returns>The value. The caller must dispose it; the name remains.</returns>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a value, has another version, another size or another kind of number than <typeparamref name="T"/>, or
    /// is truncated; the message says which.
    /// </exception>
    /// <inheritdoc cref="SharedRegion.Open(string, bool)" path="/exception[not(contains(@cref, 'InvalidData'))]"/>
    public static SharedValue<T> Open(string name, bool allowOtherUsers = false) => Open(NamedMemory.Current, name, allowOtherUsers);

    /// <summary>
    /// Opens a value, or creates it if there is none. When several processes do so at once, one creates it and the others open it. So
    /// it does not matter which one starts first, or starts again.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="options">
    /// How to create it if it is created; null for the defaults. Where any process may restart, set
    /// <see cref="SharedRegionOptions.DeleteOnDispose"/> to false. Otherwise the name goes with the process that created the value.
    /// </param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <returns>The value. The caller must dispose it.</returns>
    /// <inheritdoc cref="SharedRegion.CreateOrOpen(string, long, SharedRegionOptions?, bool)"
    /// path="/exception[not(contains(@cref, 'OutOfRange'))]"/>
    public static SharedValue<T> CreateOrOpen(
        string name, SharedRegionOptions? options = null, bool allowOtherUsers = false) =>
        CreateOrOpen(NamedMemory.Current, name, options, allowOtherUsers);

    /// <summary>Opens a value; waits until another process has created it.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="timeout">How long to wait; <see cref="Timeout.InfiniteTimeSpan"/> for as long as it takes.</param>
    /// <param name="allowOtherUsers">As for <see cref="SharedRegion.Open(string, bool)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The value. The caller must dispose it; the name remains.</returns>
    /// <remarks>No system tells when a name appears: the call looks for it up to 20 times a second, and holds its thread.</remarks>
    /// <inheritdoc cref="SharedRegion.OpenWhenCreated" path="/exception"/>
    public static SharedValue<T> OpenWhenCreated(
        string name, TimeSpan timeout, bool allowOtherUsers = false, CancellationToken cancellationToken = default) =>
        NamedContents.OpenWhenCreated<SharedValue<T>>(NamedMemory.Current, name, timeout, allowOtherUsers, cancellationToken);

    private static RegionShape Shape => new(ValueHeader.RegionSize(sizeof(T)), sizeof(T), Number);

    /// <inheritdoc/>
    static RegionKind INamedContents<SharedValue<T>>.Kind => RegionKind.Value;

    /// <inheritdoc/>
    static SharedValue<T> INamedContents<SharedValue<T>>.Over(SharedRegion region) => new(region);

    internal static SharedValue<T> Create(NamedMemory names, string name, SharedRegionOptions? options = null) =>
        NamedContents.Create<SharedValue<T>>(names, name, Shape, options);

    internal static SharedValue<T> Open(NamedMemory names, string name, bool allowOtherUsers = false) =>
        NamedContents.Open<SharedValue<T>>(names, name, allowOtherUsers);

    internal static SharedValue<T> CreateOrOpen(
        NamedMemory names, string name, SharedRegionOptions? options = null, bool allowOtherUsers = false) =>
        NamedContents.CreateOrOpen<SharedValue<T>>(names, name, Shape, options, allowOtherUsers);
}
