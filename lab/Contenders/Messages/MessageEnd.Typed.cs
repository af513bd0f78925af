using System.Diagnostics;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The loops, compiled for each contender.</summary>
/// <param name="sender">The way to the other process.</param>
/// <param name="receiver">The way from it.</param>
/// <param name="owned">What both need, disposed with the end.</param>
internal sealed class MessageEnd<TSender, TReceiver>(
    TSender sender, TReceiver receiver, params IReadOnlyList<IDisposable> owned) : MessageEnd
    where TSender : struct, IMessageSender
    where TReceiver : struct, IMessageReceiver
{
    private TSender _sender = sender;
    private TReceiver _receiver = receiver;

    public override void Send(int length, long first, int count)
    {
        for (long number = first; number < first + count; number++)
        {
            Send(length, number);
        }
    }

    public override void Receive(int length, long first, int count)
    {
        for (long number = first; number < first + count; number++)
        {
            Receive(length, number);
        }
    }

    public override void Ping(int length, long[] ticks)
    {
        for (int number = 0; number < ticks.Length; number++)
        {
            long start = Stopwatch.GetTimestamp();
            Send(length, number);
            Receive(length, number);
            ticks[number] = Stopwatch.GetTimestamp() - start;
        }
    }

    public override void Echo(int length, int count)
    {
        for (int number = 0; number < count; number++)
        {
            Receive(length, number);
            Send(length, number);
        }
    }

    public override void SendPaced(int length, int count, TimeSpan pause)
    {
        long ticks = (long)(pause.TotalSeconds * Stopwatch.Frequency);
        long due = Stopwatch.GetTimestamp();
        ref TSender sender = ref _sender;
        for (int number = 0; number < count; number++)
        {
            due += ticks;
            while (Stopwatch.GetTimestamp() < due)
            {
                Thread.SpinWait(1);
            }

            long begun = Stopwatch.GetTimestamp();
            Span<byte> message = sender.Begin(length);
            MessageContents.Write(message, number);
            MessageContents.WriteTime(message, begun);
            sender.End();
        }
    }

    public override void ReceivePaced(int length, long[] ticks)
    {
        ref TReceiver receiver = ref _receiver;
        for (int number = 0; number < ticks.Length; number++)
        {
            ReadOnlySpan<byte> message = receiver.Begin();
            MessageContents.VerifyTimed(message, number, length);
            ticks[number] = Stopwatch.GetTimestamp() - MessageContents.ReadTime(message);
            receiver.End();
        }
    }

    public override void Dispose()
    {
        foreach (IDisposable one in owned)
        {
            one.Dispose();
        }
    }

    private void Send(int length, long number)
    {
        ref TSender sender = ref _sender;
        MessageContents.Write(sender.Begin(length), number);
        sender.End();
    }

    private void Receive(int length, long number)
    {
        ref TReceiver receiver = ref _receiver;
        MessageContents.Verify(receiver.Begin(), number, length);
        receiver.End();
    }
}
