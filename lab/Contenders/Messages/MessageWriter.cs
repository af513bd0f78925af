using System.Diagnostics;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The sending end of one thread.</summary>
internal abstract class MessageWriter : IDisposable
{
    /// <param name="length">Bytes of each message.</param>
    /// <param name="first">The number of the first.</param>
    /// <param name="step">From one number to the next.</param>
    /// <param name="count">How many.</param>
    public abstract void Send(int length, long first, int step, int count);

    /// <summary>
    /// Sends messages, each a pause after all readers passed the one before, and keeps the processor busy meanwhile. Each contains its
    /// start time.
    /// </summary>
    /// <param name="length">Bytes of each message.</param>
    /// <param name="count">How many.</param>
    /// <param name="pause">Between two.</param>
    /// <param name="isPrepared">Whether the time begins when a message is written in place, and not before.</param>
    /// <param name="gate">Where readers tell what they passed.</param>
    /// <param name="readers">How many there are.</param>
    public abstract void SendTimed(int length, int count, TimeSpan pause, bool isPrepared, MessageGate gate, int readers);

    public abstract void Dispose();
}

/// <summary>The loops, compiled for each contender.</summary>
/// <param name="sender">The way to the readers.</param>
/// <param name="owned">What it needs, disposed with the end.</param>
internal sealed class MessageWriter<TSender>(TSender sender, params IReadOnlyList<IDisposable> owned) : MessageWriter
    where TSender : struct, IMessageSender
{
    private TSender _sender = sender;

    public override void Send(int length, long first, int step, int count)
    {
        ref TSender sender = ref _sender;
        for (long number = first; count > 0; number += step, count--)
        {
            WholeContents contents = new(number);
            sender.Send(length, ref contents);
        }
    }

    public override void SendTimed(int length, int count, TimeSpan pause, bool isPrepared, MessageGate gate, int readers)
    {
        ref TSender sender = ref _sender;
        long ticks = (long)(pause.TotalSeconds * Stopwatch.Frequency);
        for (int number = 0; number < count; number++)
        {
            gate.Await(readers, number);
            for (long due = Stopwatch.GetTimestamp() + ticks; Stopwatch.GetTimestamp() < due;)
            {
                Thread.SpinWait(1);
            }

            if (isPrepared)
            {
                PreparedContents contents = new(number);
                sender.Send(length, ref contents);
            }
            else
            {
                TimedContents contents = new(number, Stopwatch.GetTimestamp());
                sender.Send(length, ref contents);
            }
        }
    }

    public override void Dispose()
    {
        foreach (IDisposable one in owned)
        {
            one.Dispose();
        }
    }
}
