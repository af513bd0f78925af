namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// One end of a connection between two processes, messages both ways. The other end answers each operation of this one: <see cref="Send"/>
/// and <see cref="Receive"/>, <see cref="Ping"/> and <see cref="Echo"/>, <see cref="SendPaced"/> and <see cref="ReceivePaced"/>, with the
/// same length and count. Every message received is verified.
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
    /// Repeatedly sends a message and waits for its answer. Notes the ticks from before each message is written until its answer is
    /// verified.
    /// </summary>
    public abstract void Ping(int length, long[] ticks);

    public abstract void Echo(int length, int count);

    /// <summary>
    /// Sends messages with a pause before each, in which this thread keeps its processor busy. Each message contains its start time.
    /// </summary>
    public abstract void SendPaced(int length, int count, TimeSpan pause);

    /// <summary>Notes for each message the ticks from its start until it is verified.</summary>
    public abstract void ReceivePaced(int length, long[] ticks);

    public abstract void Dispose();
}
