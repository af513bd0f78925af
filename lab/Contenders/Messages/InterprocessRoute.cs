using System.Runtime.CompilerServices;
using Cloudtoid.Interprocess;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>A queue of cloudtoid/interprocess, whose file is in memory where the system has such a folder.</summary>
internal sealed class InterprocessRoute(MessageTraffic traffic) : MessageRoute(MessageNames.Interprocess, traffic)
{
    private const string InMemory = "/dev/shm";
    private const int HeaderSize = 16;

    public override string Address { get; } = UniqueName();

    /// <summary>A queue exists while somebody has it open, so the other process's ends keep it.</summary>
    public override MessageEnds Connect() => new([], [.. Enumerable.Range(0, Traffic.Readers).Select(_ => CreateReader())]);

    public static MessageEnds OpenEnds(string address, MessageTraffic traffic) => new(
        [
            .. Enumerable.Range(0, traffic.Writers).Select(_ => new QueueFactory().CreatePublisher(OptionsOf(address, traffic))).Select(
                publisher => new MessageWriter<InterprocessSender>(new(publisher, new byte[traffic.Length]), publisher)),
        ],
        []);

    public override void Dispose()
    {
    }

    private static QueueOptions OptionsOf(string address, MessageTraffic traffic) => new(
        address,
        Directory.Exists(InMemory) ? InMemory : Path.GetTempPath(),
        Math.Max(traffic.Bytes, traffic.Messages * (traffic.Length + HeaderSize)) + 7 & ~7);

    private BlockingReader<InterprocessReceiver> CreateReader()
    {
        ISubscriber subscriber = new QueueFactory().CreateSubscriber(OptionsOf(Address, Traffic));
        return new BlockingReader<InterprocessReceiver>(new(subscriber, new byte[Traffic.Length]), subscriber);
    }
}

/// <summary>The queue copies the message. It has no wait for room, so a full one is tried again.</summary>
internal readonly struct InterprocessSender(IPublisher publisher, byte[] message) : IMessageSender
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        Span<byte> bytes = message.AsSpan(0, length);
        contents.Write(bytes);
        while (!publisher.TryEnqueue(bytes))
        {
            Thread.Yield();
        }
    }
}

/// <summary>The queue copies the message to memory of the program.</summary>
internal readonly struct InterprocessReceiver(ISubscriber subscriber, byte[] message) : IMessageReceiver
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck => check.Take(subscriber.Dequeue(message, default).Span);
}
