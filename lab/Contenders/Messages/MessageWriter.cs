using System.Diagnostics;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The sending end of one thread.</summary>
internal abstract class MessageWriter : IDisposable
{
    public static readonly TimeSpan AwakePause = TimeSpan.FromMicroseconds(1);

    public static readonly TimeSpan AsleepPause = TimeSpan.FromMilliseconds(1);

    /// <param name="length">Bytes of each message.</param>
    /// <param name="first">The number of the first.</param>
    /// <param name="step">From one number to the next.</param>
    /// <param name="count">How many.</param>
    public abstract void Send(int length, long first, int step, int count);

    /// <summary>
    /// Sends messages, each after all readers passed the one before. Each contains its start time.
    /// </summary>
    /// <param name="length">Bytes of each message.</param>
    /// <param name="count">How many.</param>
    /// <param name="isAsleep">
    /// Whether this thread sleeps a millisecond before each, so that the readers fall asleep and find any processor free. Otherwise it
    /// keeps its processor busy for <see cref="AwakePause"/>, in which the readers wait awake.
    /// </param>
    /// <param name="isPrepared">Whether the time begins when a message is written in place, and not before.</param>
    /// <param name="gate">Where readers tell what they passed.</param>
    /// <param name="readers">How many there are.</param>
    public abstract void SendTimed(int length, int count, bool isAsleep, bool isPrepared, MessageGate gate, int readers);

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

    public override void SendTimed(int length, int count, bool isAsleep, bool isPrepared, MessageGate gate, int readers)
    {
        ref TSender sender = ref _sender;
        for (int number = 0; number < count; number++)
        {
            if (isAsleep)
            {
                Sleep(gate, readers, number);
            }
            else
            {
                Spin(gate, readers, number);
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

    private static void Sleep(MessageGate gate, int readers, int messages)
    {
        do
        {
            Thread.Sleep(AsleepPause);
        }
        while (!gate.IsPassed(readers, messages));
    }

    private static void Spin(MessageGate gate, int readers, int messages)
    {
        while (!gate.IsPassed(readers, messages))
        {
            Thread.SpinWait(1);
        }

        long due = Stopwatch.GetTimestamp() + (long)(AwakePause.TotalSeconds * Stopwatch.Frequency);
        while (Stopwatch.GetTimestamp() < due)
        {
            Thread.SpinWait(1);
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
