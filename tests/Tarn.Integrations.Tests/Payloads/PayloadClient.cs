namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A client that receives, or sends and receives, one message of 5,000,000 bytes, as usually and with Tarn.</summary>
internal abstract class PayloadClient : IAsyncDisposable
{
    protected PayloadClient() => new Random(1).NextBytes(Report);

    /// <summary>The message.</summary>
    protected byte[] Report { get; } = new byte[5_000_000];

    /// <summary>One message as the documents of the client show it.</summary>
    internal abstract Task UsualAsync();

    /// <summary>One message as the recipe shows it.</summary>
    internal abstract Task WithTarnAsync();

    public abstract ValueTask DisposeAsync();

    protected void AssertArrived(ReadOnlySpan<byte> message) => Assert.True(message.SequenceEqual(Report), "The message came whole.");

    protected void AssertArrived(System.Buffers.ReadOnlySequence<byte> message)
    {
        Assert.Equal(Report.Length, message.Length);
        int position = 0;
        foreach (ReadOnlyMemory<byte> part in message)
        {
            Assert.True(part.Span.SequenceEqual(Report.AsSpan(position, part.Length)), "The message came whole.");
            position += part.Length;
        }
    }
}
