using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// The least that passes from one processor to another: a counter that the reader spins on, and the message behind it in the same line of
/// the cache. Nobody sleeps, nobody finds out that the other has ended, and one message is on the way at a time, so it is no way for a
/// program; it tells what of a contender's time is the processors'.
/// </summary>
internal sealed class WordRoute : MessageRoute
{
    private readonly SharedRegion _region;

    public WordRoute(MessageTraffic traffic)
        : base(MessageNames.Word, traffic)
    {
        Address = UniqueName();
        _region = SharedRegion.Create(Address, WordWay.RegionSize(traffic.Length));
    }

    public override string Address { get; }

    public override MessageEnds Connect() => new([], [new BlockingReader<WordWay>(new(_region, Traffic.Length))]);

    public static MessageEnds OpenEnds(string address, MessageTraffic traffic)
    {
        var region = SharedRegion.Open(address);
        return new([new MessageWriter<WordWay>(new(region, traffic.Length), region)], []);
    }

    public override void Dispose() => _region.Dispose();
}

/// <summary>Either side.</summary>
internal struct WordWay(SharedRegion region, int longest) : IMessageSender, IMessageReceiver
{
    private const int WrittenAt = 0;
    private const int MessageAt = sizeof(long);
    private const int Distance = 128;

    private readonly int _readAt = (int)RegionSize(longest) - Distance;
    private long _count;

    public static long RegionSize(int longest) => ((MessageAt + longest + Distance - 1) & -Distance) + Distance;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        Await(ref WordAt(_readAt), _count);
        contents.Write(region.GetSpan(MessageAt, length));
        Volatile.Write(ref WordAt(WrittenAt), ++_count);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        ReadOnlySpan<byte> message = region.GetSpan(MessageAt, longest);
        Await(ref WordAt(WrittenAt), ++_count);
        check.Take(message);
        Volatile.Write(ref WordAt(_readAt), _count);
    }

    /// <summary>Without a pause, which would be a part of the time.</summary>
    private static void Await(ref long word, long count)
    {
        while (Volatile.Read(ref word) < count)
        {
        }
    }

    private readonly ref long WordAt(int offset) => ref MemoryMarshal.AsRef<long>(region.GetSpan(offset, sizeof(long)));
}
