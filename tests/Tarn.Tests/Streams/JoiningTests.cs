using System.Text;

namespace Tarn.Tests.Streams;

/// <summary>The contents as one array, and as text.</summary>
public sealed class JoiningTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    public void Dispose() => _memory.Dispose();

    [Theory]
    [InlineData(StreamClearing.None)]
    [InlineData(StreamClearing.OnReturn)]
    public void The_segments_become_one_and_the_others_go_back(StreamClearing zeroing)
    {
        byte[] contents = Contents.Of(100_000);
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions(_memory.InPool) { Clearing = zeroing });
        Contents.WriteInPieces(stream, contents, 1000);
        stream.Position = 50;
        long rented = _memory.Pool.GetStatistics().Rented;
        byte[] joined = stream.GetBuffer();
        Assert.Equal(rented + 1, _memory.Pool.GetStatistics().Rented);
        Assert.Equal(joined.Length, _memory.InUse);
        Assert.Equal(contents, joined[..100_000]);
        Assert.Equal(50, stream.Position);
        Assert.Same(joined, stream.GetBuffer());
        Assert.Equal(rented + 1, _memory.Pool.GetStatistics().Rented);

        stream.Position = 100_000;
        byte[] more = Contents.Of(joined.Length, seed: 2);
        stream.Write(more);
        Contents.Verify(stream, [.. contents, .. more]);
        stream.Dispose();
        _memory.AssertNothingInUse();
    }

    [Fact]
    public void One_segment_is_shown_as_it_is()
    {
        using PooledMemoryStream stream = new(_memory.InPool, capacity: 100_000);
        long rented = _memory.Pool.GetStatistics().Rented;
        byte[] buffer = stream.GetBuffer();
        stream.Write(Contents.Of(100_000));
        Assert.Same(buffer, stream.GetBuffer());
        Assert.Equal(rented, _memory.Pool.GetStatistics().Rented);
    }

    [Fact]
    public void Text_in_any_encoding_across_segments()
    {
        string text = string.Concat(Enumerable.Range(0, 5000).Select(static i => i % 3 == 0 ? "€" : i % 3 == 1 ? "🌊" : "a"));
        using PooledMemoryStream stream = new(_memory.InPool);
        Assert.Equal("", stream.GetString());
        Contents.WriteInPieces(stream, Encoding.UTF8.GetBytes(text), 7);
        Assert.Equal(text, stream.GetString());
        stream.SetLength(0);
        stream.Write(Encoding.BigEndianUnicode.GetBytes(text));
        Assert.Equal(text, stream.GetString(Encoding.BigEndianUnicode));
        stream.SetLength(0);
        stream.WriteByte(0xFF);
        Assert.Throws<DecoderFallbackException>(() => stream.GetString(new UTF8Encoding(false, throwOnInvalidBytes: true)));
        stream.Dispose();
        Assert.Throws<ObjectDisposedException>(() => stream.GetString());
    }
}
