namespace Tarn.SharedMemory;

/// <summary>
/// The process at the other side of a <see cref="SharedRing"/> has exited, and without it the call would wait forever: a reader has read
/// every message and the writer has exited, or the ring is full and the reader has exited.
/// </summary>
/// <remarks>
/// The ring remains intact. A process that takes the lost process's role continues where that process stopped. Each exit is reported once,
/// so repeating the call waits for a successor; with <see cref="SharedRing.AwaitSuccessor"/> the first call does. A process that
/// exited before this side took its role is not reported, unless it left messages to read. If the ring's name was removed in the meantime,
/// no successor can open the ring, and every call that would wait for one throws this exception.
/// </remarks>
#pragma warning disable CA1032 // only the library creates it, and it always knows all the values
public sealed class SharedPeerLostException : IOException
#pragma warning restore CA1032
{
    internal SharedPeerLostException(string message, int processId, bool hasLeft)
        : base(message)
    {
        ProcessId = processId;
        HasLeft = hasLeft;
    }

    /// <summary>The id of the process that has exited.</summary>
    public int ProcessId { get; }

    /// <summary>True if that process disposed its ring; false if it ended without doing so.</summary>
    public bool HasLeft { get; }
}
