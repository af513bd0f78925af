namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// One end of a connection between two processes, messages both ways. What one end does, the other answers: <see cref="Send"/> and
/// <see cref="Receive"/>, <see cref="Ping"/> and <see cref="Echo"/>, <see cref="SendPaced"/> and <see cref="ReceivePaced"/>, with the same
/// length and count. Every message received is verified.
/// </summary>
internal abstract class MessageEnd : IDisposable
{
    /// <param name="length">Bytes of each message.</param>
    /// <param name="first">The number of the first.</param>
    /// <param name="count">How many.</param>
    public abstract void Send(int length, long first, int count);

    /// <inheritdoc cref="Send"/>
    public abstract void Receive(int length, long first, int count);

    /// <summary>
    /// Sends a message, waits for its answer, and so on; notes for each the ticks from before it was written until the answer was looked
    /// at.
    /// </summary>
    public abstract void Ping(int length, long[] ticks);

    public abstract void Echo(int length, int count);

    /// <summary>
    /// Sends messages with a pause before each, in which this thread keeps its processor busy; each holds when it was begun.
    /// </summary>
    public abstract void SendPaced(int length, int count, TimeSpan pause);

    /// <summary>Notes for each message the ticks from when it was begun until it was looked at.</summary>
    public abstract void ReceivePaced(int length, long[] ticks);

    public abstract void Dispose();
}
