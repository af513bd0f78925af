namespace Tarn;

/// <summary>
/// The process at the other side of a <see cref="SharedRing"/> is not there any more, and without it the call would wait for ever: a reader
/// has read everything and the writer has exited, or the ring is full and the reader has exited.
/// </summary>
/// <remarks>
/// The ring is as good as before. A process that takes the lost one's place goes on where it stopped; each loss is told once, so the same
/// call, made again, waits for that.
/// </remarks>
#pragma warning disable CA1032 // made by the library alone, which always knows all of it
public sealed class SharedPeerLostException : IOException
#pragma warning restore CA1032
{
    internal SharedPeerLostException(string message, int processId, bool hasLeft)
        : base(message)
    {
        ProcessId = processId;
        HasLeft = hasLeft;
    }

    /// <summary>The process that is gone.</summary>
    public int ProcessId { get; }

    /// <summary>Whether it disposed its ring; false if it ended without.</summary>
    public bool HasLeft { get; }
}
