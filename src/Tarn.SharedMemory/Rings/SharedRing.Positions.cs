namespace Tarn.SharedMemory;

/// <content>The positions of messages, and reads that leave the messages unread.</content>
public sealed unsafe partial class SharedRing
{
    /// <summary>
    /// Where the next message will be written: 0 in a new ring, then more by each message's length, rounded up to a multiple of 8, and by
    /// 8. It changes in the step that publishes the message, and outlives the writer. So a writer's successor knows from it which messages
    /// its predecessor published.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public long WritePosition => PositionAt(RingHeader.WritePositionOffset);

    /// <summary>
    /// Where the first message begins that was not passed. It is the <see cref="WritePosition"/> that the ring had before this message,
    /// changes in the step that passes the message, and outlives the reader. So it identifies a message, even for a reader's successor.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public long ReadPosition => PositionAt(RingHeader.ReadPositionOffset);

    /// <summary>
    /// Returns a message in place without passing it or those before it, if there is one at the position. A reader that must not lose
    /// messages reads ahead, and calls <see cref="AdvanceTo"/> when they are safe elsewhere; until then the reader's successor finds them
    /// unread.
    /// </summary>
    /// <param name="position">
    /// <see cref="ReadPosition"/>, or the value that the previous call left here. Receives the position after the message; unchanged if
    /// there is none.
    /// </param>
    /// <param name="message">The message. Valid until a call passes it.</param>
    /// <returns>True if there was a message.</returns>
    /// <remarks>Messages that are not passed keep their room, so a writer may find the ring full.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="position"/> is not in the unread part of the ring.</exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool TryReadAhead(scoped ref long position, out ReadOnlySpan<byte> message) => _reader.TryReadAhead(ref position, out message);

    /// <summary>Passes all messages before a position: the writer can use their room again.</summary>
    /// <param name="position">A position that <see cref="TryReadAhead"/> left, or <see cref="ReadPosition"/>, which passes none.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// No unread message ends at <paramref name="position"/>. Nothing is passed.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public void AdvanceTo(long position) => _reader.AdvanceTo(position);

    /// <summary>
    /// Reads a position while keeping the header mapped, because another thread may dispose the ring. The address is formed under the pin:
    /// a reference to the field would be checked, by an access, where it is formed.
    /// </summary>
    private long PositionAt(int offset)
    {
        byte* header = _region.PinAt(offset);
        try
        {
            return Volatile.Read(ref *(long*)header);
        }
        finally
        {
            _region.Unpin();
        }
    }
}
