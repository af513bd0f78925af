namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A queue, as a carrier.</summary>
internal sealed class QueueCarrier(SharedQueue queue) : Carrier
{
    internal override bool TryWrite(ReadOnlySpan<byte> message) => queue.TryWrite(message);

    internal override void Write(ReadOnlySpan<byte> message) => queue.Write(message);

    internal override bool Write(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken token) =>
        queue.Write(message, timeout, token);

    internal override ValueTask WriteAsync(ReadOnlyMemory<byte> message, CancellationToken token) => queue.WriteAsync(message, token);

    internal override ValueTask WaitToWriteAsync(int length, CancellationToken token) => queue.WaitToWriteAsync(length, token);

    internal override bool TryBeginWrite(int length, out SharedRoom room) => queue.TryBeginWrite(length, out room);

    internal override SharedRoom BeginWrite(int length) => queue.BeginWrite(length);

    internal override bool BeginWrite(int length, out SharedRoom room, TimeSpan timeout) => queue.BeginWrite(length, out room, timeout);

    internal override bool TryRead(Span<byte> destination, out int length) => queue.TryRead(destination, out length);

    internal override int Read(Span<byte> destination) => queue.Read(destination);

    internal override bool Read(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken token) =>
        queue.Read(destination, out length, timeout, token);

    internal override ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken token) => queue.ReadAsync(destination, token);

    internal override ValueTask WaitToReadAsync(CancellationToken token) => queue.WaitToReadAsync(token);

    internal override bool TryBeginRead(out SharedMessage message) => queue.TryBeginRead(out message);

    internal override SharedMessage BeginRead() => queue.BeginRead();

    internal override bool BeginRead(out SharedMessage message, TimeSpan timeout) => queue.BeginRead(out message, timeout);

    internal override IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync() => queue.ReadAllAsync();
}
