namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A topic and a reader that holds the writer back, as a carrier.</summary>
internal sealed class TopicCarrier(SharedTopic topic, SharedTopicReader reader) : Carrier
{
    internal override bool TryWrite(ReadOnlySpan<byte> message) => topic.TryWrite(message);

    internal override void Write(ReadOnlySpan<byte> message) => topic.Write(message);

    internal override bool Write(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken token) =>
        topic.Write(message, timeout, token);

    internal override ValueTask WriteAsync(ReadOnlyMemory<byte> message, CancellationToken token) => topic.WriteAsync(message, token);

    internal override ValueTask WaitToWriteAsync(int length, CancellationToken token) => topic.WaitToWriteAsync(length, token);

    internal override bool TryBeginWrite(int length, out SharedRoom room) => topic.TryBeginWrite(length, out room);

    internal override SharedRoom BeginWrite(int length) => topic.BeginWrite(length);

    internal override bool BeginWrite(int length, out SharedRoom room, TimeSpan timeout) => topic.BeginWrite(length, out room, timeout);

    internal override bool TryRead(Span<byte> destination, out int length) => reader.TryRead(destination, out length);

    internal override int Read(Span<byte> destination) => reader.Read(destination);

    internal override bool Read(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken token) =>
        reader.Read(destination, out length, timeout, token);

    internal override ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken token) => reader.ReadAsync(destination, token);

    internal override ValueTask WaitToReadAsync(CancellationToken token) => reader.WaitToReadAsync(token);

    internal override bool TryBeginRead(out SharedMessage message) => reader.TryBeginRead(out message);

    internal override SharedMessage BeginRead() => reader.BeginRead();

    internal override bool BeginRead(out SharedMessage message, TimeSpan timeout) => reader.BeginRead(out message, timeout);

    internal override IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync() => reader.ReadAllAsync();
}
