using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>
/// Room for a message in a <see cref="SharedRing"/>, a <see cref="SharedQueue"/> or a <see cref="SharedTopic"/> itself.
/// </summary>
/// <remarks>
/// <see cref="Commit"/> publishes the message; disposal without it abandons the room. Messages of a queue come in the order in which their
/// rooms were taken, so its readers wait for this one until then: use it at once, on one thread, and dispose it. Do not use its span
/// afterwards, or after the disposal of what it belongs to.
/// </remarks>
public readonly ref struct SharedRoom
{
    private readonly MessageSide? _side;

    internal SharedRoom(MessageSide side, long position, Span<byte> span)
    {
        _side = side;
        Position = position;
        Span = span;
    }

    /// <summary>The room, with undefined contents: as many bytes as were requested.</summary>
    public Span<byte> Span { get; }

    /// <summary>
    /// Where the message will stand among all of its carrier: in a ring, the <see cref="SharedRing.WritePosition"/> before it is published;
    /// in a queue and a topic, the number of messages before it.
    /// </summary>
    public long Position { get; }

    /// <summary>Publishes the message. The disposal of the room does nothing then.</summary>
    /// <param name="length">The message's length in bytes, from the beginning of <see cref="Span"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than the room has. The message can still be published.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// The room was committed or disposed before, another write began after it in a ring or a topic, another thread writes there, or it is
    /// no room.
    /// </exception>
    /// <exception cref="ObjectDisposedException">What it belongs to was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Commit(int length)
    {
        if ((uint)length > (uint)Span.Length)
        {
            Throw.Outside(nameof(length), length, Span.Length);
        }

        (_side ?? ThrowNone()).Publish(Position, length);
    }

    /// <summary>
    /// Gives the room up: nothing is published, and a queue's readers pass it. Does nothing if it was committed or disposed before.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Dispose() => _side?.GiveUp(Position);

    [DoesNotReturn]
    private static MessageSide ThrowNone() => throw MessageSide.NotWriting();
}
