namespace Tarn.SharedMemory;

/// <summary>A side of a ring, a queue or a topic, as the messages in progress know it: what begins one gives it this side.</summary>
/// <remarks>A message is known by its position, so what was ended or begun anew is told from what is in progress.</remarks>
internal abstract unsafe class MessageSide : WaitingSide
{
    /// <inheritdoc cref="WaitingSide(Sleeper*, SharedSignal)"/>
    protected MessageSide(Sleeper* sleeper, SharedSignal signal)
        : base(sleeper, signal)
    {
    }

    /// <summary>Passes the message that is read at a position.</summary>
    /// <returns>Whether it stayed whole until now.</returns>
    /// <exception cref="InvalidOperationException">It is not in progress.</exception>
    /// <exception cref="ObjectDisposedException">The side was closed.</exception>
    internal virtual bool Pass(long position, int length) => throw NotReading();

    /// <summary>Gives back the message that is read at a position, unless it is not in progress or the side is closing.</summary>
    internal virtual void GiveBack(long position)
    {
    }

    /// <summary>Publishes the message that is written at a position.</summary>
    /// <exception cref="InvalidOperationException">It is not in progress.</exception>
    /// <exception cref="ObjectDisposedException">The side was closed.</exception>
    internal virtual void Publish(long position, int length) => throw NotWriting();

    /// <summary>Gives up the room that was taken at a position, unless it is not in progress or the side is closing.</summary>
    internal virtual void GiveUp(long position)
    {
    }

    internal static InvalidOperationException NotReading() => NotBegun("read");

    internal static InvalidOperationException NotWriting() => NotBegun("write");

    private static InvalidOperationException NotBegun(string what) => new(
        $"No {what} of this message is in progress: it was ended before, another one was begun after it, or the call that begins it "
            + "returned false.");
}
