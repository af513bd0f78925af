namespace Tarn;

/// <content>Creates and opens values by name.</content>
public sealed unsafe partial class SharedValue<T>
{
    /// <summary>Creates a place for a value, without a value yet.</summary>
    /// <param name="name">A name that no region, ring, queue or value has, by the rules of <see cref="SharedRegion"/>.</param>
    /// <param name="options">
    /// How to create it; null for the defaults, which remove the name when this process disposes the object.
    /// <see cref="SharedRegionOptions.AwaitsSuccessor"/> has no effect.
    /// </param>
    /// <returns>The object. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="IOException">
    /// The name is in use, the system lacks shared memory, or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="OutOfMemoryException">The process lacks address space.</exception>
    public static SharedValue<T> Create(string name, SharedRegionOptions? options = null) => Create(NamedMemory.Current, name, options);

    /// <summary>Opens a value. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="options">
    /// Whether another user's may be opened; null for the defaults. The other options have no effect: it is as it was created.
    /// </param>
    /// <returns>The object. The caller must dispose it; the name remains.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="FileNotFoundException">There is no value of that name.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a value, has another version, another size or another kind of number than <typeparamref name="T"/>, or
    /// is truncated; the message says which.
    /// </exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access, or another user created it and the options do not allow that.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process lacks address space.</exception>
    public static SharedValue<T> Open(string name, SharedRegionOptions? options = null) =>
        Over(SharedRegion.Open(NamedMemory.Current, name, RegionKind.Value, options));

    /// <summary>
    /// Opens a value, or creates a place for it. When several processes do so at once, one creates it and the others open it.
    /// </summary>
    /// <param name="name">Its name.</param>
    /// <param name="options">
    /// How to create it, and whether another user's may be opened; null for the defaults. Where the writer may restart, set
    /// <see cref="SharedRegionOptions.DeleteOnDispose"/> to false.
    /// </param>
    /// <returns>The object. The caller must dispose it.</returns>
    /// <exception cref="IOException">
    /// It exists with another size, the system lacks shared memory, or the system refuses for another reason.
    /// </exception>
    /// <inheritdoc cref="Open(string, SharedRegionOptions?)" path="/exception[not(contains(@cref, 'IO.IOException'))]"/>
    public static SharedValue<T> CreateOrOpen(string name, SharedRegionOptions? options = null) => Over(SharedRegion.CreateOrOpen(
        NamedMemory.Current, name, ValueHeader.RegionSize(sizeof(T)), options, RegionKind.Value, sizeof(T), Number));

    internal static SharedValue<T> Create(NamedMemory names, string name, SharedRegionOptions? options = null) =>
        Over(SharedRegion.Create(names, name, ValueHeader.RegionSize(sizeof(T)), options, RegionKind.Value, sizeof(T), Number));

    private static SharedValue<T> Over(SharedRegion region)
    {
        try
        {
            return new SharedValue<T>(region);
        }
        catch
        {
            region.Dispose();
            throw;
        }
    }
}
