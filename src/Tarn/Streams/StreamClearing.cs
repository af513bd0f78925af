namespace Tarn;

/// <summary>When a <see cref="PooledMemoryStream"/> clears the bytes written to it, before its memory goes back.</summary>
/// <remarks>
/// Only written bytes are cleared, not whole buffers. All bytes before the furthest written byte count as written, including the gaps of a
/// native stream, which then take memory. With every value, a stream exposes only its own contents and zeros, except for bytes that were
/// passed to <see cref="PooledMemoryStream.Advance(int)"/> without being written.
/// </remarks>
public enum StreamClearing
{
    /// <summary>Never: the next user of the memory may see the stream's old contents.</summary>
    None,

    /// <summary>Before the memory goes back, by the thread that releases it.</summary>
    OnReturn,

    /// <summary>
    /// By a thread-pool thread, before the memory goes back, so that disposing a stream of a MiB or more takes little time. It takes more
    /// time in all than <see cref="OnReturn"/>: a thread must wake up, which costs more than clearing a few tens of KiB, and the next
    /// streams find the memory still in use. If more than a bounded amount waits to be cleared, the releasing thread clears
    /// the memory itself; it never waits. The releasing thread also clears native memory itself, because the heap may be disposed next.
    /// </summary>
    Background,
}
