namespace Tarn;

/// <summary>The counters of one pool or heap at one moment.</summary>
/// <param name="Name">Its name; pools without one are named after their element type.</param>
/// <param name="Kind">What it is, such as <c>array pool</c>.</param>
/// <param name="InUseBytes">Bytes handed out and not returned.</param>
/// <param name="RetainedBytes">Bytes kept idle for reuse.</param>
/// <param name="Rented">Buffers handed out so far.</param>
/// <param name="Returned">Buffers that came back so far.</param>
/// <param name="Allocated">Buffers made anew so far, because none was idle.</param>
/// <param name="Id">
/// What events give as <c>poolId</c>: the hash code of the pool or heap (<see cref="object.GetHashCode"/>), as the BCL's pools do. Two may
/// have the same.
/// </param>
public readonly record struct BufferSourceSnapshot(
    string Name, string Kind, long InUseBytes, long RetainedBytes, long Rented, long Returned, long Allocated, int Id);
