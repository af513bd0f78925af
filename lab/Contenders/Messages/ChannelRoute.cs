using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>Bounded channels of one process: one to each reader of a topic, otherwise one for all.</summary>
internal sealed class ChannelRoute : MessageRoute
{
    private static readonly ConcurrentDictionary<string, Channel<byte[]>[]> s_channels = new();

    private readonly Channel<byte[]>[] _channels;

    public ChannelRoute(string name, MessageTraffic traffic)
        : base(name, traffic)
    {
        Address = UniqueName();
        _channels = [.. Enumerable.Range(0, traffic.Ways).Select(_ => Channel.CreateBounded<byte[]>(traffic.Messages))];
        s_channels[Address] = _channels;
    }

    public override bool IsLocal => true;

    public override string Address { get; }

    public override MessageEnds Connect() =>
        new([], [.. Enumerable.Range(0, Traffic.Readers).Select(reader => CreateReader(_channels[reader % _channels.Length]))]);

    public static MessageEnds OpenEnds(string address, MessageTraffic traffic) =>
        new([.. Enumerable.Range(0, traffic.Writers).Select(_ => new MessageWriter<ChannelSender>(new(s_channels[address])))], []);

    public override void Dispose() => s_channels.TryRemove(Address, out _);

    private MessageReader CreateReader(Channel<byte[]> channel) => Name == MessageNames.Channel
        ? new BlockingReader<ChannelReceiver>(new(channel))
        : new AwaitedReader<ChannelReceiver>(new(channel));
}
