using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>A message of a <see cref="SharedRing"/>, a <see cref="SharedQueue"/> or a <see cref="SharedTopic"/> where it lies.</summary>
/// <remarks>
/// <para>Disposal passes the message: the next read returns the one after it, and writers can use its room again. Until then, a message
/// whose process ends stays unread: the ring's next reader, or another reader of the queue, gets it. A message that is neither disposed nor
/// abandoned is returned again by the next read of a ring or of a topic's reader; a queue gives it to nobody else.</para>
/// <para>Use it on one thread, and dispose it. Do not use its span afterwards, or after the disposal of what it is read from.</para>
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

    /// <summary>Passes the message now, and tells whether it stayed whole. Its disposal does nothing then.</summary>
    /// <returns>
    /// True, except for a reader of a topic that does not hold the writer back: false if the writer overwrote the message meanwhile. What
    /// was read from it is worthless then, and it is counted as lost, with those that were overwritten after it. So such a reader uses
    /// nothing from <see cref="Span"/> before this returned true.
    /// </returns>
    /// <exception cref="InvalidOperationException">
    /// The message was passed or abandoned before, another read began after it, another thread reads, or it is no message.
    /// </exception>
    /// <exception cref="InvalidDataException">The carrier is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">What it was read from was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPass() => (_side ?? ThrowNone()).Pass(Position, Span.Length);

    /// <summary>
    /// Leaves the message unread: the next read returns it, and in a queue that may be another reader's, after later messages. Does nothing
    /// if the message was passed or abandoned before.
    /// </summary>
    public void Abandon() => _side?.Abandon(Position);

    /// <summary>Passes the message. Does nothing if it was passed or abandoned before, or what it was read from was disposed.</summary>
    /// <exception cref="InvalidOperationException">Another thread reads at the same time, or a wait that holds no thread does.</exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Dispose() => _side?.PassIfBegun(Position, Span.Length);

    [DoesNotReturn]
    private static MessageSide ThrowNone() => throw MessageSide.NotReading();
}
