namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A ring, as a carrier.</summary>
internal sealed class RingCarrier(SharedRing ring) : Carrier
{
    internal override bool TryWrite(ReadOnlySpan<byte> message) => ring.TryWrite(message);

    internal override void Write(ReadOnlySpan<byte> message) => ring.Write(message);

    internal override bool Write(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken token) =>
        ring.Write(message, timeout, token);

    internal override ValueTask WriteAsync(ReadOnlyMemory<byte> message, CancellationToken token) => ring.WriteAsync(message, token);

    internal override ValueTask WaitToWriteAsync(int length, CancellationToken token) => ring.WaitToWriteAsync(length, token);

    internal override bool TryBeginWrite(int length, out SharedRoom room) => ring.TryBeginWrite(length, out room);

    internal override SharedRoom BeginWrite(int length) => ring.BeginWrite(length);

    internal override bool BeginWrite(int length, out SharedRoom room, TimeSpan timeout) => ring.BeginWrite(length, out room, timeout);

    internal override bool TryRead(Span<byte> destination, out int length) => ring.TryRead(destination, out length);

    internal override int Read(Span<byte> destination) => ring.Read(destination);

    internal override bool Read(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken token) =>
        ring.Read(destination, out length, timeout, token);

    internal override ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken token) => ring.ReadAsync(destination, token);

    internal override ValueTask WaitToReadAsync(CancellationToken token) => ring.WaitToReadAsync(token);

    internal override bool TryBeginRead(out SharedMessage message) => ring.TryBeginRead(out message);

    internal override SharedMessage BeginRead() => ring.BeginRead();

    internal override bool BeginRead(out SharedMessage message, TimeSpan timeout) => ring.BeginRead(out message, timeout);

    internal override IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync() => ring.ReadAllAsync();
}
