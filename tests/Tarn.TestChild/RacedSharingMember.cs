using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>A member of an owner of shared memory, as a race calls it.</summary>
/// <param name="Name">Its name in findings.</param>
/// <param name="Create">Makes the owner and its other sides.</param>
/// <param name="Call">Calls it, and nothing else that could throw for another reason.</param>
internal sealed record RacedSharingMember(string Name, Func<string, Random, RacedSharing> Create, Action<RacedSharing> Call)
{
    private static readonly TimeSpan s_forEver = Timeout.InfiniteTimeSpan;

    /// <summary>Whether a disposed owner has this member too.</summary>
    internal bool Outlives { get; private init; }

    internal static string[] Kinds { get; } = ["region", "ring", "queue", "topic", "value", "pipe", "stream", "listener"];

    internal static RacedSharingMember[] Of(string kind) => kind switch
    {
        "region" => Regions,
        "ring" => Rings,
        "queue" => Queues,
        "topic" => Topics,
        "value" => Values,
        _ => RacedPipes.Of(kind),
    };

    internal static RacedSharingMember That(
        string name, Func<string, Random, RacedSharing> create, Action<RacedSharing> call, bool outlives = false) =>
        new(name, create, call) { Outlives = outlives };

    private static RacedSharingMember[] Regions =>
    [
        That("GetSpan", RacedOwners.Region, static raced => raced.As<SharedRegion>().GetSpan(0, 10)),
        That("GetMemory", RacedOwners.Region, static raced => raced.As<SharedRegion>().GetMemory(0, 10).Pin().Dispose()),
        That("Id", RacedOwners.Region, static raced => _ = raced.As<SharedRegion>().Id, outlives: true),
        That("Dispose", RacedOwners.Region, static raced => raced.As<SharedRegion>().Dispose(), outlives: true),
    ];

    private static RacedSharingMember[] Rings =>
    [
        That("TryWrite", RacedOwners.RingWriter, static raced => Count(raced, raced.As<SharedRing>().TryWrite(raced.NextMessage()))),
        That("Write", RacedOwners.RingWriter, static raced =>
        {
            raced.As<SharedRing>().Write(raced.NextMessage());
            raced.HasWritten();
        }),
        That("Write with a timeout", RacedOwners.RingWriter, static raced =>
            Count(raced, raced.As<SharedRing>().Write(raced.NextMessage(), s_forEver))),
        That("WriteAsync", RacedOwners.RingWriter, static raced =>
        {
            raced.As<SharedRing>().WriteAsync(raced.NextMessage()).AsTask().Get();
            raced.HasWritten();
        }),
        That("WaitToWriteAsync", RacedOwners.RingWriter, static raced =>
        {
            raced.As<SharedRing>().WaitToWriteAsync(8).AsTask().Get();
            Count(raced, raced.As<SharedRing>().TryWrite(raced.NextMessage()));
        }),
        That("AttachWriter", RacedOwners.RingWriter, static raced => raced.As<SharedRing>().AttachWriter()),
        That("WriterProcessId", RacedOwners.RingWriter, static raced => _ = raced.As<SharedRing>().WriterProcessId),
        That("WritePosition", RacedOwners.RingWriter, static raced => _ = raced.As<SharedRing>().WritePosition),
        That("TryRead", RacedOwners.RingReader, static raced => Take(raced, raced.As<SharedRing>().TryRead(raced.Bytes, out _))),
        That("Read", RacedOwners.RingReader, static raced => Take(raced, raced.As<SharedRing>().Read(raced.Bytes) > 0)),
        That("Read with a timeout", RacedOwners.RingReader, static raced =>
            Take(raced, raced.As<SharedRing>().Read(raced.Bytes, out _, s_forEver))),
        That("ReadAsync", RacedOwners.RingReader, static raced =>
            Take(raced, raced.As<SharedRing>().ReadAsync(raced.Bytes).AsTask().Get() > 0)),
        That("TryBeginRead and leave", RacedOwners.RingReader, static raced =>
        {
            raced.As<SharedRing>().TryBeginRead(out SharedMessage message);
            message.Dispose();
        }),
        That("TryBeginWrite and give up", RacedOwners.RingWriter, static raced =>
        {
            raced.As<SharedRing>().TryBeginWrite(8, out SharedRoom room);
            room.Dispose();
        }),
        That("WaitToReadAsync", RacedOwners.RingReader, static raced =>
        {
            raced.As<SharedRing>().WaitToReadAsync().AsTask().Get();
            Take(raced, raced.As<SharedRing>().TryRead(raced.Bytes, out _));
        }),
        That("ReadAllAsync", RacedOwners.RingReader, static raced => ReadAll(raced, raced.As<SharedRing>().ReadAllAsync())),
        That("AdvanceTo", RacedOwners.RingReader, static raced => raced.As<SharedRing>().AdvanceTo(raced.As<SharedRing>().ReadPosition)),
        That("AttachReader", RacedOwners.RingReader, static raced => raced.As<SharedRing>().AttachReader()),
        That("ReaderProcessId", RacedOwners.RingReader, static raced => _ = raced.As<SharedRing>().ReaderProcessId),
        That("Dispose", RacedOwners.RingReader, static raced => raced.As<SharedRing>().Dispose(), outlives: true),
    ];

    private static RacedSharingMember[] Queues =>
    [
        That("TryWrite", RacedOwners.QueueWriter, static raced => Count(raced, raced.As<SharedQueue>().TryWrite(raced.NextMessage()))),
        That("Write with a timeout", RacedOwners.QueueWriter, static raced =>
            Count(raced, raced.As<SharedQueue>().Write(raced.NextMessage(), s_forEver))),
        That("WaitToWriteAsync", RacedOwners.QueueWriter, static raced =>
        {
            raced.As<SharedQueue>().WaitToWriteAsync(8).AsTask().Get();
            Count(raced, raced.As<SharedQueue>().TryWrite(raced.NextMessage()));
        }),
        That("TryRead", RacedOwners.QueueReader, static raced => Take(raced, raced.As<SharedQueue>().TryRead(raced.Bytes, out _))),
        That("Read with a timeout", RacedOwners.QueueReader, static raced =>
            Take(raced, raced.As<SharedQueue>().Read(raced.Bytes, out _, s_forEver))),
        That("WaitToReadAsync", RacedOwners.QueueReader, static raced =>
        {
            raced.As<SharedQueue>().WaitToReadAsync().AsTask().Get();
            Take(raced, raced.As<SharedQueue>().TryRead(raced.Bytes, out _));
        }),
        That("TryBeginRead and give back", RacedOwners.QueueReader, static raced =>
        {
            raced.As<SharedQueue>().TryBeginRead(out SharedMessage message);
            message.Dispose();
        }),
        That("TryBeginWrite and give up", RacedOwners.QueueReader, static raced =>
        {
            raced.As<SharedQueue>().TryBeginWrite(8, out SharedRoom room);
            room.Dispose();
        }),
        That("MemberCount", RacedOwners.QueueReader, static raced => _ = raced.As<SharedQueue>().MemberCount),
        That("SkippedCount", RacedOwners.QueueReader, static raced => _ = raced.As<SharedQueue>().SkippedCount),
        That("Dispose", RacedOwners.QueueReader, static raced => raced.As<SharedQueue>().Dispose(), outlives: true),
    ];

    private static RacedSharingMember[] Topics =>
    [
        That("TryWrite", RacedOwners.TopicWriter, static raced => Count(raced, raced.As<SharedTopic>().TryWrite(raced.NextMessage()))),
        That("Write with a timeout", RacedOwners.TopicWriter, static raced =>
            Count(raced, raced.As<SharedTopic>().Write(raced.NextMessage(), s_forEver))),
        That("WaitToWriteAsync", RacedOwners.TopicWriter, static raced =>
        {
            raced.As<SharedTopic>().WaitToWriteAsync(8).AsTask().Get();
            Count(raced, raced.As<SharedTopic>().TryWrite(raced.NextMessage()));
        }),
        That("OpenReader", RacedOwners.TopicWriter, static raced => raced.As<SharedTopic>().OpenReader(true).Dispose()),
        That("OpenReader that holds", RacedOwners.TopicWriter, static raced =>
            raced.As<SharedTopic>().OpenReader(holdsWriter: true).Dispose()),
        That("HoldingReaderCount", RacedOwners.TopicWriter, static raced => _ = raced.As<SharedTopic>().HoldingReaderCount),
        That("Position", RacedOwners.TopicWriter, static raced => _ = raced.As<SharedTopic>().Position),
        .. new[] { RacedOwners.TopicReader, RacedOwners.TopicOfReader }.SelectMany(static create => (RacedSharingMember[])
        [
            That("a reader's TryRead", create, static raced => Take(raced, raced.As<SharedTopicReader>().TryRead(raced.Bytes, out _))),
            That("a reader's Read with a timeout", create, static raced =>
                Take(raced, raced.As<SharedTopicReader>().Read(raced.Bytes, out _, s_forEver))),
            That("a reader's WaitToReadAsync", create, static raced =>
            {
                raced.As<SharedTopicReader>().WaitToReadAsync().AsTask().Get();
                Take(raced, raced.As<SharedTopicReader>().TryRead(raced.Bytes, out _));
            }),
            That("a reader's ReadAllAsync", create, static raced => ReadAll(raced, raced.As<SharedTopicReader>().ReadAllAsync())),
            That("a reader's LostCount", create, static raced => _ = raced.As<SharedTopicReader>().LostCount, outlives: true),
            That("a reader's Dispose", create, static raced => raced.As<SharedTopicReader>().Dispose(), outlives: true),
        ]),
    ];

    private static RacedSharingMember[] Values =>
    [
        That("Write", RacedOwners.Value, static raced =>
        {
            raced.As<SharedValue<long>>().Write(raced.Written);
            raced.HasWritten();
        }),
        That("TryRead", RacedOwners.Value, static raced => raced.As<SharedValue<long>>().TryRead(out _)),
        That("WaitForChange", RacedOwners.Value, static raced => raced.As<SharedValue<long>>().WaitForChange(9, s_forEver)),
        That("WaitForChangeAsync", RacedOwners.Value, static raced => raced.As<SharedValue<long>>().WaitForChangeAsync(9).AsTask().Get()),
        That("AttachWriter", RacedOwners.Value, static raced => raced.As<SharedValue<long>>().AttachWriter()),
        That("WriterProcessId", RacedOwners.Value, static raced => _ = raced.As<SharedValue<long>>().WriterProcessId),
        That("Version", RacedOwners.Value, static raced => _ = raced.As<SharedValue<long>>().Version),
        That("Dispose", RacedOwners.Value, static raced => raced.As<SharedValue<long>>().Dispose(), outlives: true),
    ];

    private static void Count(RacedSharing raced, bool isWritten) => raced.HasWritten(isWritten ? 1 : 0);

    private static void Take(RacedSharing raced, bool isRead)
    {
        if (isRead)
        {
            raced.HasRead(raced.Bytes.AsSpan(0, 8));
        }
    }

    private static void ReadAll(RacedSharing raced, IAsyncEnumerable<ReadOnlyMemory<byte>> messages)
    {
        foreach (ReadOnlyMemory<byte> message in messages.ToBlockingEnumerable())
        {
            raced.HasRead(message.Span);
        }
    }
}
