#pragma warning disable CA1835, CA2022 // tests the overloads over arrays as well, and the result of a single read

namespace Tarn.Tests.Streams;

/// <content>Arguments that are refused, and how; positions.</content>
public abstract partial class StreamContract
{
    private static readonly Dictionary<string, Action<MemoryStream, byte[], int, int>> s_arrayMembers = new()
    {
        ["Read"] = static (stream, buffer, offset, count) => stream.Read(buffer, offset, count),
        ["Write"] = static (stream, buffer, offset, count) => stream.Write(buffer, offset, count),
        ["ReadAsync"] = static (stream, buffer, offset, count) => _ = stream.ReadAsync(buffer, offset, count),
        ["WriteAsync"] = static (stream, buffer, offset, count) => _ = stream.WriteAsync(buffer, offset, count),
        ["BeginRead"] = static (stream, buffer, offset, count) => stream.BeginRead(buffer, offset, count, null, null),
        ["BeginWrite"] = static (stream, buffer, offset, count) => stream.BeginWrite(buffer, offset, count, null, null),
        ["ReadExactly"] = static (stream, buffer, offset, count) => stream.ReadExactly(buffer, offset, count),
        ["ReadExactlyAsync"] = static (stream, buffer, offset, count) => _ = stream.ReadExactlyAsync(buffer, offset, count).AsTask(),
    };

    public static TheoryData<string> ArrayMembers => [.. s_arrayMembers.Keys];

    [Theory]
    [MemberData(nameof(ArrayMembers))]
    public void Ranges_outside_the_array_are_refused_and_take_no_memory(string member)
    {
        Action<MemoryStream, byte[], int, int> call = s_arrayMembers[member];
        using MemoryStream stream = CreateWith(Contents.Of(300));
        stream.Position = 10;
        long inUse = Memory.InUse;
        Assert.Equal("buffer", Assert.Throws<ArgumentNullException>(() => call(stream, null!, 0, 0)).ParamName);
        foreach ((int offset, int count, string name) in ((int, int, string)[])
            [
                (-1, 1, "offset"), (int.MinValue, 1, "offset"), (5, 0, "count"), (0, -1, "count"), (0, int.MinValue, "count"),
                (0, 5, "count"),
                (1, 4, "count"), (4, 1, "count"), (1, int.MaxValue, "count"), (int.MaxValue, 1, "count"),
                (int.MaxValue, int.MaxValue, "count"),
            ])
        {
            ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => call(stream, new byte[4], offset, count));
            Assert.True(e.ParamName == name, $"{member} from {offset}, {count} bytes: {e.ParamName} was blamed.");
        }

        Assert.Equal(inUse, Memory.InUse);
        Assert.Equal(10, stream.Position);
        Contents.Verify(stream, Contents.Of(300));
    }

    [Fact]
    public async Task Destinations_that_cannot_be_written_are_refused()
    {
        using MemoryStream stream = CreateWith(Contents.Of(300));
        using MemoryStream readOnly = new([], writable: false);
        MemoryStream disposed = new();
        await disposed.DisposeAsync();
        stream.Position = 10;
        Assert.Equal("destination", Assert.Throws<ArgumentNullException>(() => stream.CopyTo(null!)).ParamName);
        Assert.Equal("destination", (await Assert.ThrowsAsync<ArgumentNullException>(() => stream.CopyToAsync(null!))).ParamName);
        Assert.Equal("stream", Assert.Throws<ArgumentNullException>(() => stream.WriteTo(null!)).ParamName);
        foreach (int size in (int[])[0, -1, int.MinValue])
        {
            Assert.Equal("bufferSize", Assert.Throws<ArgumentOutOfRangeException>(() => stream.CopyTo(readOnly, size)).ParamName);
            Assert.Equal(
                "bufferSize", (await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => stream.CopyToAsync(readOnly, size))).ParamName);
        }

        Assert.Throws<NotSupportedException>(() => stream.CopyTo(readOnly));
        await Assert.ThrowsAsync<NotSupportedException>(() => stream.CopyToAsync(readOnly));
        Assert.Throws<NotSupportedException>(() => stream.WriteTo(readOnly));
        Assert.Throws<ObjectDisposedException>(() => stream.CopyTo(disposed));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.CopyToAsync(disposed));
        Assert.Equal(10, stream.Position);
    }

    [Fact]
    public void Copying_an_empty_stream_to_an_unwritable_one_throws_too()
    {
        using MemoryStream stream = Create();
        using MemoryStream readOnly = new([], writable: false);
        MemoryStream disposed = new();
        disposed.Dispose();
        Assert.Throws<NotSupportedException>(() => stream.WriteTo(readOnly));
        Assert.Throws<ObjectDisposedException>(() => stream.WriteTo(disposed));
        using MemoryStream destination = new();
        stream.WriteTo(destination);
        Assert.Equal(0, destination.Length);
    }

    [Theory]
    [InlineData(0, SeekOrigin.Begin, 0)]
    [InlineData(5000, SeekOrigin.Begin, 5000)]
    [InlineData(20_000, SeekOrigin.Begin, 20_000)]
    [InlineData(0, SeekOrigin.Current, 700)]
    [InlineData(-700, SeekOrigin.Current, 0)]
    [InlineData(9_301, SeekOrigin.Current, 10_001)]
    [InlineData(0, SeekOrigin.End, 10_000)]
    [InlineData(-10_000, SeekOrigin.End, 0)]
    [InlineData(1, SeekOrigin.End, 10_001)]
    public void Seeking_moves_the_position_from_where_it_says(long offset, SeekOrigin origin, long expected)
    {
        using MemoryStream stream = CreateWith(Contents.Of(10_000), piece: 1000);
        stream.Position = 700;
        Assert.Equal(expected, stream.Seek(offset, origin));
        Assert.Equal((expected, 10_000), (stream.Position, stream.Length));
        Assert.Equal(expected < 10_000 ? Contents.Of(10_000)[expected] : -1, stream.ReadByte());
    }

    [Theory]
    [InlineData(-1, SeekOrigin.Begin, typeof(IOException))]
    [InlineData(long.MinValue, SeekOrigin.Begin, typeof(IOException))]
    [InlineData(-701, SeekOrigin.Current, typeof(IOException))]
    [InlineData(-10_001, SeekOrigin.End, typeof(IOException))]
    [InlineData(long.MaxValue, SeekOrigin.Current, typeof(ArgumentOutOfRangeException))]
    [InlineData(long.MaxValue, SeekOrigin.End, typeof(ArgumentOutOfRangeException))]
    [InlineData(0, (SeekOrigin)3, typeof(ArgumentException))]
    [InlineData(0, (SeekOrigin)(-1), typeof(ArgumentException))]
    public void Seeking_outside_is_refused_and_moves_nothing(long offset, SeekOrigin origin, Type exception)
    {
        using MemoryStream stream = CreateWith(Contents.Of(10_000));
        stream.Position = 700;
        Exception e = Assert.Throws(exception, () => stream.Seek(offset, origin));
        Assert.Equal(700, stream.Position);
        if (e is ArgumentOutOfRangeException outside)
        {
            Assert.Equal("offset", outside.ParamName);
        }
    }

    [Fact]
    public void Positions_go_as_far_as_there_are_numbers_for_them()
    {
        using MemoryStream stream = CreateWith(Contents.Of(300));
        long largest = LargestPosition ?? long.MaxValue;
        Assert.Equal("value", Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = -1).ParamName);
        Assert.Equal("value", Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = long.MinValue).ParamName);
        stream.Position = largest;
        Assert.Equal(largest, stream.Position);
        Assert.Equal(-1, stream.ReadByte());
        Assert.Equal(largest, stream.Seek(0, SeekOrigin.Current));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(long.MaxValue, SeekOrigin.Current));
        if (largest == long.MaxValue)
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(1, SeekOrigin.Current));
            Assert.Throws<IOException>(() => stream.WriteByte(1));
            Assert.Throws<IOException>(() => stream.Write(new byte[2]));
        }

        Assert.Equal(300, stream.Length);
        stream.Position = 299;
        Assert.Equal(Contents.Of(300)[^1], stream.ReadByte());
    }
}
