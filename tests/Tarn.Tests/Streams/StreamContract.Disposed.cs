#pragma warning disable CA1835, CA2022 // tests the overloads over arrays as well, and the result of a single read

namespace Tarn.Tests.Streams;

/// <content>After Dispose.</content>
public abstract partial class StreamContract
{
    private static readonly Dictionary<string, Func<MemoryStream, Task?>> s_refused = new()
    {
        ["Length"] = static stream => Done(stream.Length),
        ["Position"] = static stream => Done(stream.Position),
        ["Position = 0"] = static stream => Done(stream.Position = 0),
        ["Position = 100"] = static stream => Done(stream.Position = 100),
        ["Capacity"] = static stream => Done(stream.Capacity),
        ["Seek"] = static stream => Done(stream.Seek(0, SeekOrigin.Begin)),
        ["Read array"] = static stream => Done(stream.Read(new byte[5], 0, 5)),
        ["Read nothing"] = static stream => Done(stream.Read([])),
        ["Read span"] = static stream => Done(stream.Read(new byte[5].AsSpan())),
        ["ReadByte"] = static stream => Done(stream.ReadByte()),
        ["ReadAsync array"] = static stream => stream.ReadAsync(new byte[5], 0, 5),
        ["ReadAsync memory"] = static stream => stream.ReadAsync(new byte[5].AsMemory()).AsTask(),
        ["ReadExactly"] = static stream => Done(() => stream.ReadExactly(new byte[5])),
        ["CopyTo"] = static stream => Done(() => stream.CopyTo(new MemoryStream())),
        ["CopyToAsync"] = static stream => stream.CopyToAsync(new MemoryStream()),
        ["WriteTo"] = static stream => Done(() => stream.WriteTo(new MemoryStream())),
        ["Write array"] = static stream => Done(() => stream.Write(new byte[5], 0, 5)),
        ["Write span"] = static stream => Done(() => stream.Write(new byte[5].AsSpan())),
        ["Write nothing"] = static stream => Done(() => stream.Write([])),
        ["WriteByte"] = static stream => Done(() => stream.WriteByte(1)),
        ["WriteAsync array"] = static stream => stream.WriteAsync(new byte[5], 0, 5),
        ["WriteAsync memory"] = static stream => stream.WriteAsync(new byte[5].AsMemory()).AsTask(),
    };

    public static TheoryData<string> Refused => [.. s_refused.Keys];

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task A_disposed_stream_refuses(string member)
    {
        foreach (int length in (int[])[0, 100, 50_000])
        {
            foreach (bool atStart in (bool[])[true, false])
            {
                MemoryStream stream = CreateWith(Contents.Of(length), piece: 1000);
                stream.Position = atStart ? 0 : length;
                await stream.DisposeAsync();
                await Assert.ThrowsAsync<ObjectDisposedException>(async () => await (s_refused[member](stream) ?? Task.CompletedTask));
                if (KeepsContents && HasArray)
                {
                    // That the contents were joined does not open the stream again.
                    Assert.NotNull(stream.GetBuffer());
                    await Assert.ThrowsAsync<ObjectDisposedException>(async () => await (s_refused[member](stream) ?? Task.CompletedTask));
                }

                Release(stream);
            }
        }

        Memory.AssertNothingInUse();
    }

    [Fact]
    public void A_disposed_stream_can_do_nothing_and_its_length_cannot_be_set()
    {
        MemoryStream stream = CreateWith(Contents.Of(5000), piece: 100);
        stream.Dispose();
        Assert.Equal((false, false, false), (stream.CanRead, stream.CanSeek, stream.CanWrite));
        foreach (long length in (long[])[0, 10, 5000, 100_000])
        {
            Assert.Throws(DisposedSetLength, () => stream.SetLength(length));
        }

        Assert.ThrowsAny<Exception>(() => stream.Capacity = 10_000);
        Assert.Throws<NotSupportedException>(() => stream.BeginRead(new byte[1], 0, 1, null, null));
        Assert.Throws<NotSupportedException>(() => stream.BeginWrite(new byte[1], 0, 1, null, null));
        Release(stream);
        Memory.AssertNothingInUse();
    }

    [Fact]
    public async Task A_disposed_stream_verifies_arguments_first()
    {
        MemoryStream stream = Create();
        await stream.DisposeAsync();
        Assert.Throws<ArgumentNullException>(() => stream.Read(null!, 0, 0));
        Assert.Throws<ArgumentNullException>(() => stream.Write(null!, 0, 0));
        Assert.Throws<ArgumentNullException>(() => stream.CopyTo(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => stream.CopyToAsync(null!));
        Assert.Throws<ArgumentNullException>(() => stream.WriteTo(null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = -1);
    }

    [Fact]
    public async Task Flushing_and_disposing_again_do_nothing()
    {
        MemoryStream stream = CreateWith(Contents.Of(5000));
        stream.Flush();
        stream.Close();
        stream.Close();
        stream.Dispose();
        await stream.DisposeAsync();
        stream.Flush();
        await stream.FlushAsync();
        Assert.True(stream.FlushAsync(new CancellationToken(canceled: true)).IsCanceled);
        Release(stream);
        Memory.AssertNothingInUse();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(50_000)]
    public void The_contents_stay_after_dispose_or_are_gone(int length)
    {
        byte[] contents = Contents.Of(length);
        MemoryStream stream = CreateWith(contents, piece: 1000);
        stream.Dispose();
        if (KeepsContents)
        {
            Assert.Equal(contents, stream.ToArray());
            Assert.Equal(HasArray, stream.TryGetBuffer(out ArraySegment<byte> buffer));
            Assert.True(!HasArray || buffer.AsSpan().SequenceEqual(contents));
            Assert.True(!HasArray || stream.GetBuffer().AsSpan(0, length).SequenceEqual(contents));
            Assert.Equal(contents, stream.ToArray());
        }
        else
        {
            Assert.Throws<ObjectDisposedException>(stream.ToArray);
            Assert.ThrowsAny<ObjectDisposedException>(stream.GetBuffer);
            Assert.False(stream.TryGetBuffer(out ArraySegment<byte> buffer));
            Assert.True(buffer == default);
        }

        Release(stream);
        Memory.AssertNothingInUse();
    }

    [Fact]
    public void A_writer_that_closes_the_stream_closes_it()
    {
        MemoryStream stream = Create();
        using (StreamWriter writer = new(stream))
        {
            writer.Write("text");
        }

        Assert.False(stream.CanWrite);
        Release(stream);
        Memory.AssertNothingInUse();
    }

    /// <summary>The memory that a disposed stream kept goes back as well.</summary>
    private static void Release(MemoryStream stream)
    {
        if (stream is PooledMemoryStream ours)
        {
            try
            {
                ours.Detach().Dispose();
            }
            catch (ObjectDisposedException)
            {
                // It kept nothing.
            }
        }
    }

    private static Task? Done<T>(T value)
    {
        _ = value;
        return null;
    }

    private static Task? Done(Action action)
    {
        action();
        return null;
    }
}
