namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The calls that a ring, a queue and a topic with its reader have in common.</summary>
internal abstract class Carrier
{
    internal abstract bool TryWrite(ReadOnlySpan<byte> message);

    internal abstract void Write(ReadOnlySpan<byte> message);

    internal abstract bool Write(ReadOnlySpan<byte> message, TimeSpan timeout, CancellationToken token = default);

    internal abstract ValueTask WriteAsync(ReadOnlyMemory<byte> message, CancellationToken token = default);

    internal abstract ValueTask WaitToWriteAsync(int length, CancellationToken token = default);

    internal abstract bool TryBeginWrite(int length, out SharedRoom room);

    internal abstract SharedRoom BeginWrite(int length);

    internal abstract bool BeginWrite(int length, out SharedRoom room, TimeSpan timeout);

    internal abstract bool TryRead(Span<byte> destination, out int length);

    internal abstract int Read(Span<byte> destination);

    internal abstract bool Read(Span<byte> destination, out int length, TimeSpan timeout, CancellationToken token = default);

    internal abstract ValueTask<int> ReadAsync(Memory<byte> destination, CancellationToken token = default);

    internal abstract ValueTask WaitToReadAsync(CancellationToken token = default);

    internal abstract bool TryBeginRead(out SharedMessage message);

    internal abstract SharedMessage BeginRead();

    internal abstract bool BeginRead(out SharedMessage message, TimeSpan timeout);

    internal abstract IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync();

    /// <summary>Writes in one of six ways.</summary>
    internal async Task Write(int way, byte[] message)
    {
        switch (way)
        {
            case 0:
                Assert.True(TryWrite(message));
                break;
            case 1:
                Write(message);
                break;
            case 2:
                await WriteAsync(message);
                break;
            case 3:
                Assert.True(TryBeginWrite(message.Length, out SharedRoom tried));
                Fill(tried, message);
                break;
            case 4:
                Fill(BeginWrite(message.Length), message);
                break;
            default:
                await WaitToWriteAsync(message.Length);
                Assert.True(BeginWrite(message.Length + 1, out SharedRoom room, TimeSpan.FromSeconds(60)));
                Fill(room, message);
                break;
        }
    }

    /// <summary>Reads in one of six ways.</summary>
    internal async Task<int> Read(int way, byte[] destination)
    {
        int length;
        switch (way)
        {
            case 0:
                Assert.True(TryRead(destination, out length));
                return length;
            case 1:
                return Read(destination);
            case 2:
                return await ReadAsync(destination);
            case 3:
                Assert.True(TryBeginRead(out SharedMessage tried));
                return Copy(tried, destination);
            case 4:
                return Copy(BeginRead(), destination);
            default:
                await WaitToReadAsync();
                Assert.True(BeginRead(out SharedMessage message, TimeSpan.FromSeconds(60)));
                return Copy(message, destination);
        }
    }

    private static void Fill(SharedRoom room, byte[] message)
    {
        using (room)
        {
            message.CopyTo(room.Span);
            room.Commit(message.Length);
        }
    }

    private static int Copy(SharedMessage message, byte[] destination)
    {
        using (message)
        {
            message.Span.CopyTo(destination);
            Assert.True(message.Pass());
            return message.Span.Length;
        }
    }
}
