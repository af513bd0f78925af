namespace Tarn;

/// <summary>The counters of one pool or heap at one moment.</summary>
/// <param name="Name">Its name. A pool without a name is named after its element type.</param>
/// <param name="Kind">Its kind, such as <c>array pool</c>.</param>
/// <param name="InUseBytes">Bytes handed out and not returned.</param>
/// <param name="RetainedBytes">Bytes kept idle for reuse.</param>
/// <param name="Rented">The number of buffers handed out so far.</param>
/// <param name="Returned">The number of buffers returned so far.</param>
/// <param name="Allocated">The number of buffers newly allocated so far, because none was idle.</param>
/// <param name="Id">
/// The <c>poolId</c> of its events: the hash code of the pool or heap (<see cref="object.GetHashCode"/>), as in the BCL's pools. Two
/// sources may have the same one.
/// </param>
public readonly record struct BufferSourceSnapshot(
    string Name, string Kind, long InUseBytes, long RetainedBytes, long Rented, long Returned, long Allocated, int Id);
