#pragma warning disable CA1835, CA2022 // tests the overloads over arrays as well, and the result of a single read

namespace Tarn.Tests.Streams;

/// <summary>Readers of a stream with positions of their own.</summary>
public sealed class ViewTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    public void Dispose() => _memory.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Several_read_at_once_on_several_threads(bool native)
    {
        byte[] contents = Contents.Of(300_000);
        using PooledMemoryStream stream = new(native ? _memory.InHeap : _memory.InPool);
        Contents.WriteInPieces(stream, contents, 1000);
        Parallel.For(0, 8, index =>
        {
            using Stream view = stream.OpenRead();
            byte[] read = new byte[300_000];
            for (int at = 0; at < read.Length;)
            {
                at += view.Read(read, at, Math.Min(read.Length - at, 100 + (index * 1009)));
            }

            Assert.Equal(-1, view.ReadByte());
            Assert.True(read.AsSpan().SequenceEqual(contents), $"Reader {index} read something else.");
        });
        Assert.Equal(300_000, stream.Position);
    }

    [Fact]
    public async Task It_behaves_like_a_stream_that_cannot_be_written()
    {
        byte[] contents = Contents.Of(10_000);
        using PooledMemoryStream stream = new(_memory.InPool);
        Contents.WriteInPieces(stream, contents, 100);
        Stream view = stream.OpenRead();
        Assert.Equal((true, true, false), (view.CanRead, view.CanSeek, view.CanWrite));
        Assert.Equal(9_990, view.Seek(-10, SeekOrigin.End));
        byte[] buffer = new byte[100];
        Assert.Equal(10, await view.ReadAsync(buffer, 0, 100));
        Assert.Equal(contents[9_990..], buffer[..10]);
        Assert.Equal(0, await view.ReadAsync(buffer.AsMemory()));
        Assert.Equal(5, view.Seek(-9_995, SeekOrigin.Current));
        Assert.Equal(contents[5], view.ReadByte());
        Assert.Equal(20_000, view.Seek(20_000, SeekOrigin.Begin));
        Assert.Equal(-1, view.ReadByte());
        Assert.Throws<IOException>(() => view.Seek(-1, SeekOrigin.Begin));
        Assert.Throws<ArgumentException>(() => view.Seek(0, (SeekOrigin)3));
        Assert.Throws<ArgumentOutOfRangeException>(() => view.Position = -1);
        Assert.Throws<ArgumentOutOfRangeException>(() => view.Seek(long.MaxValue, SeekOrigin.Current));
        Assert.Throws<ArgumentOutOfRangeException>(() => view.Read(buffer, 1, 100));
        Assert.Throws<NotSupportedException>(() => view.Write(buffer, 0, 1));
        Assert.Throws<NotSupportedException>(() => view.WriteByte(1));
        Assert.Throws<NotSupportedException>(() => view.SetLength(1));
        Assert.Throws<ArgumentOutOfRangeException>("value", () => view.SetLength(-1));
        Assert.Throws<ArgumentOutOfRangeException>("count", () => view.Write(buffer, 1, 100));
        Assert.True(view.ReadAsync(buffer, 0, 1, new CancellationToken(canceled: true)).IsCanceled);
        view.Flush();
        view.Position = 100;
        using MemoryStream copy = new();
        await view.CopyToAsync(copy);
        Assert.Equal(contents[100..], copy.ToArray());
        stream.WriteByte(9);
        Assert.Equal(9, view.ReadByte());

        await view.DisposeAsync();
        Assert.Equal((false, false), (view.CanRead, view.CanSeek));
        Assert.Throws<ObjectDisposedException>(() => view.Read(buffer));
        Assert.Throws<ObjectDisposedException>(() => view.Length);
        Assert.Throws<ObjectDisposedException>(() => view.Position);
        Assert.Throws<ObjectDisposedException>(() => view.Seek(0, SeekOrigin.Begin));
        Assert.Throws<ObjectDisposedException>(() => view.Write(buffer, 0, 1));
        Assert.Equal(10_001, stream.Length);
    }

    [Fact]
    public async Task With_the_stream_the_contents_are_gone()
    {
        PooledMemoryStream stream = new(_memory.InPool);
        stream.Write(Contents.Of(100));
        using Stream view = stream.OpenRead();
        await stream.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => view.ReadByte());
        Assert.Throws<ObjectDisposedException>(() => view.Length);

        // As with other streams, failures are reported through the task.
        Task<int> array = view.ReadAsync(new byte[1], 0, 1);
        Task<int> memory = view.ReadAsync(new byte[1].AsMemory()).AsTask();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => array);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => memory);
        Assert.Throws<ObjectDisposedException>(stream.OpenRead);
    }

    [Fact]
    public void Kept_contents_can_be_read_after_dispose()
    {
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions(_memory.InPool) { KeepContentsOnDispose = true });
        stream.Write(Contents.Of(100));
        stream.Dispose();
        using (Stream view = stream.OpenRead())
        {
            byte[] read = new byte[100];
            view.ReadExactly(read);
            Assert.Equal(Contents.Of(100), read);
        }

        Assert.Equal(Contents.Of(100), stream.GetReadOnlySequence().FirstSpan);
        stream.Detach().Dispose();
        _memory.AssertNothingInUse();
        Assert.Empty(stream.ToArray());
        Assert.Equal(0, stream.Detach().Length);
    }
}
