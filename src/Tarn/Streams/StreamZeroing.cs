namespace Tarn;

/// <summary>When a <see cref="PooledMemoryStream"/> clears what was written to it, before its memory goes back.</summary>
/// <remarks>Only what was written is cleared, not the whole buffers; what lies before the furthest byte of it counts as written, also the
/// gaps of a native stream, which take memory then. Whatever is chosen here, a stream shows its own contents and zeros, and nothing else
/// except bytes that <see cref="PooledMemoryStream.Advance(int)"/> counted and nothing wrote.</remarks>
public enum StreamZeroing
{
    /// <summary>Never: the next user of the memory may see what the stream held.</summary>
    None,

    /// <summary>Before the memory goes back, by the thread that releases it.</summary>
    OnRelease,

    /// <summary>
    /// By a thread-pool thread, before the memory goes back. When more waits to be cleared than a bounded amount, the thread that releases
    /// clears by itself; it never waits. So it does with native memory, whose heap may be disposed next.
    /// </summary>
    Background,
}
