namespace Tarn.Tests.Streams;

/// <summary>Streams made from bytes.</summary>
public sealed class FromBytesTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    public void Dispose() => _memory.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5000)]
    [InlineData(3_000_000)]
    public void The_bytes_are_there_to_be_read_and_the_stream_grows(int length)
    {
        byte[] contents = Contents.Of(length);
        foreach (PooledMemoryStreamOptions? options in (PooledMemoryStreamOptions?[])[null, _memory.InPool, _memory.InHeap])
        {
            using PooledMemoryStream stream = new(contents, options);
            Assert.Equal((0, length), (stream.Position, stream.Length));
            Contents.Verify(stream, contents);

            stream.Position = length;
            stream.Write([1, 2, 3]);
            Contents.Verify(stream, [.. contents, 1, 2, 3]);
        }

        _memory.AssertNothingInUse();
    }

    [Fact]
    public void The_array_given_is_copied()
    {
        byte[] contents = [1, 2, 3];
        using PooledMemoryStream stream = new(contents);
        contents[0] = 42;
        stream.WriteByte(9);
        Assert.Equal([9, 2, 3], stream.ToArray());
        Assert.Equal(42, contents[0]);
    }

    [Fact]
    public void More_bytes_than_the_limit_are_refused_and_no_memory_stays_taken()
    {
        PooledMemoryStreamOptions limited = new(_memory.InPool) { MaxCapacity = 5999 };
        Assert.Throws<IOException>(() => new PooledMemoryStream(Contents.Of(6000), limited));
        _memory.AssertNothingInUse();
    }
}
