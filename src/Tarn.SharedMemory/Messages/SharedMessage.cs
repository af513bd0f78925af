using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>A message of a <see cref="SharedRing"/>, a <see cref="SharedQueue"/> or a <see cref="SharedTopic"/> where it lies.</summary>
/// <remarks>
/// <para><see cref="Pass"/> ends the message: the next read returns the one after it, and writers can use its room again. Disposal without
/// it gives the message back, so an exception that leaves a <see langword="using"/> loses nothing: a ring's next read returns the message
/// again, as does the next read of a topic's reader, and a queue gives it to whichever reader comes first. If the process ends, the
/// messages that it did not pass stay unread in the same way.</para>
/// <para>Use it on one thread, and dispose it: a queue gives a message that is neither passed nor disposed to nobody else. Do not use its
/// span afterwards, or after the disposal of what it is read from.</para>
/// </remarks>
public readonly ref struct SharedMessage
{
    private readonly MessageSide? _side;

    internal SharedMessage(MessageSide side, long position, ReadOnlySpan<byte> span)
    {
        _side = side;
        Position = position;
        Span = span;
    }

    /// <summary>The message.</summary>
    public ReadOnlySpan<byte> Span { get; }

    /// <summary>
    /// Where the message stands among all of its carrier: in a ring, the <see cref="SharedRing.ReadPosition"/> before it was passed; in a
    /// queue and a topic, the number of messages before it.
    /// </summary>
    public long Position { get; }

    /// <summary>Ends the message, and returns whether it stayed whole. Its disposal does nothing then.</summary>
    /// <returns>
    /// True, except for a reader of a topic that does not hold the writer back: false if the writer overwrote the message meanwhile. What
    /// was read from it is worthless then, and it is counted as lost, with those that were overwritten after it. So such a reader uses
    /// nothing from <see cref="Span"/> before this returned true.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The message was passed or disposed before, another read began after it, another thread reads, or it is no message.
    /// </exception>
    /// <exception cref="InvalidDataException">The carrier is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">What it was read from was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Pass() => (_side ?? ThrowNone()).Pass(Position, Span.Length);

    /// <summary>
    /// Gives the message back unread: the next read returns it, and in a queue that may be another reader's, after later messages. Does
    /// nothing if the message was passed or disposed before, or what it was read from was disposed.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Dispose() => _side?.GiveBack(Position);

    [DoesNotReturn]
    private static MessageSide ThrowNone() => throw MessageSide.NotReading();
}
