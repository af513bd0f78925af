#pragma warning disable CA1835, CA2022 // tests the overloads over arrays as well, and the result of a single read

namespace Tarn.Tests.Streams;

/// <content>Asynchronous members: they are done when they return.</content>
public abstract partial class StreamContract
{
    [Fact]
    public async Task Asynchronous_reads_and_writes_are_done_when_they_return()
    {
        byte[] contents = Contents.Of(10_000);
        using MemoryStream stream = Create();
        Task written = stream.WriteAsync(contents, 0, 6000);
        Assert.True(written.IsCompletedSuccessfully);
        await written;
        ValueTask more = stream.WriteAsync(contents.AsMemory(6000));
        Assert.True(more.IsCompletedSuccessfully);
        await more;
        Task flushed = stream.FlushAsync();
        Assert.True(flushed.IsCompletedSuccessfully);
        await flushed;
        Contents.Verify(stream, contents);

        stream.Position = 0;
        byte[] read = new byte[12_000];
        ValueTask<int> first = stream.ReadAsync(read.AsMemory(0, 7000));
        Assert.True(first.IsCompletedSuccessfully);
        Assert.Equal(7000, await first);
        Task<int> second = stream.ReadAsync(read, 7000, 5000);
        Assert.True(second.IsCompletedSuccessfully);
        Assert.Equal(3000, await second);
        Assert.Equal(contents, read[..10_000]);
    }

    [Fact]
    public async Task A_read_into_an_array_gives_the_same_task_while_it_gives_as_much()
    {
        using MemoryStream stream = CreateWith(Contents.Of(1000));
        stream.Position = 0;
        byte[] buffer = new byte[100];
        Task<int> first = stream.ReadAsync(buffer, 0, 100);
        Assert.Same(first, stream.ReadAsync(buffer, 0, 100));
        Assert.NotSame(first, stream.ReadAsync(buffer, 0, 50));
        Assert.Equal(100, await first);
    }

    [Fact]
    public void Asynchronous_reads_and_writes_of_memory_allocate_nothing_once_there_is_room()
    {
        using MemoryStream stream = CreateWith(Contents.Of(20_000));
        byte[] buffer = new byte[1000];
        Work();

        // One run in many counts some bytes for all calls together, whose cause is not known. What a call allocates, each run counts.
        long allocated = long.MaxValue;
        for (int run = 0; run < 3 && allocated != 0; run++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Work();
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, allocated);

        void Work()
        {
            for (int i = 0; i < 100; i++)
            {
                stream.Position = 0;
                for (int j = 0; j < 10; j++)
                {
                    Assert.True(IsDone(stream.WriteAsync(buffer.AsMemory())));
                    Assert.True(IsDone(stream.ReadAsync(buffer.AsMemory())));
                }
            }
        }
    }

    [Fact]
    public async Task A_cancelled_call_does_nothing()
    {
        using MemoryStream stream = CreateWith(Contents.Of(1000));
        using MemoryStream destination = new();
        stream.Position = 10;
        byte[] buffer = new byte[10];
        CancellationToken cancelled = new(canceled: true);
        Task[] tasks =
        [
            stream.ReadAsync(buffer, 0, 10, cancelled), stream.ReadAsync(buffer.AsMemory(), cancelled).AsTask(),
            stream.WriteAsync(buffer, 0, 10, cancelled), stream.WriteAsync(buffer.AsMemory(), cancelled).AsTask(),
            stream.FlushAsync(cancelled), stream.CopyToAsync(destination, cancelled), stream.CopyToAsync(destination, 100, cancelled),
            stream.ReadExactlyAsync(buffer, cancelled).AsTask(),
        ];
        foreach (Task task in tasks)
        {
            Assert.True(task.IsCanceled);
            OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task);
            Assert.Equal(cancelled, e.CancellationToken);
        }

        Assert.Equal((10, 0), (stream.Position, destination.Length));
        Contents.Verify(stream, Contents.Of(1000));
    }

    [Fact]
    public async Task Begin_and_end_read_and_write()
    {
        byte[] contents = Contents.Of(9_000);
        using MemoryStream stream = Create();
        object state = new();
        TaskCompletionSource<IAsyncResult> told = new();
        IAsyncResult write = stream.BeginWrite(contents, 0, 9_000, told.SetResult, state);
        stream.EndWrite(write);
        Assert.Same(write, await told.Task);
        Assert.Same(state, write.AsyncState);
        Contents.Verify(stream, contents);

        stream.Position = 1000;
        byte[] read = new byte[10_000];
        IAsyncResult result = stream.BeginRead(read, 5, 9_000, null, null);
        Assert.Equal(8_000, stream.EndRead(result));
        Assert.Equal(contents[1000..], read[5..8_005]);
        Assert.Throws<ArgumentNullException>(() => stream.EndRead(null!));
        Assert.Throws<ArgumentNullException>(() => stream.EndWrite(null!));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4000)]
    [InlineData(50_000)]
    [InlineData(50_001)]
    public async Task A_copy_begins_at_the_position_and_leaves_it_at_the_end(int position)
    {
        byte[] contents = Contents.Of(50_000);
        foreach (bool plain in (bool[])[true, false])
        {
            using MemoryStream stream = CreateWith(contents, piece: 1000);
            using MemoryStream destination = plain ? new MemoryStream() : new NotAPlainMemoryStream();
            byte[] expected = contents[Math.Min(position, 50_000)..];
            stream.Position = position;
            stream.CopyTo(destination);
            Assert.Equal(Math.Max(position, 50_000), stream.Position);
            Assert.Equal(expected, destination.ToArray());

            destination.SetLength(0);
            stream.Position = position;
            await stream.CopyToAsync(destination);
            Assert.Equal(Math.Max(position, 50_000), stream.Position);
            Assert.Equal(expected, destination.ToArray());

            destination.SetLength(0);
            stream.Position = position;
            stream.WriteTo(destination);
            Assert.Equal(position, stream.Position);
            Assert.Equal(contents, destination.ToArray());
        }
    }

    [Theory]
    [InlineData(100)]
    [InlineData(4097)]
    [InlineData(50_000)]
    public async Task A_copy_to_itself_appends_the_old_contents(int length)
    {
        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents, piece: 1000);
        stream.Position = length / 3;
        stream.CopyTo(stream);
        Contents.Verify(stream, [.. contents, .. contents[(length / 3)..]]);

        stream.SetLength(length);
        stream.Position = length / 3;
        await stream.CopyToAsync(stream);
        Contents.Verify(stream, [.. contents, .. contents[(length / 3)..]]);
    }

    [Theory]
    [InlineData(100, 0)]
    [InlineData(100, 40)]
    [InlineData(50_000, 0)]
    [InlineData(50_000, 100)]
    [InlineData(50_000, 49_999)]
    [InlineData(50_000, 60_000)]
    [InlineData(1_000_000, 1)]
    [InlineData(1_000_000, 999_999)]
    public void All_of_it_is_written_to_itself_at_the_position_as_it_was(int length, int position)
    {
        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents, piece: 1000);
        stream.Position = position;
        stream.WriteTo(stream);
        byte[] expected = new byte[length + position];
        contents.CopyTo(expected, 0);
        contents.CopyTo(expected, position);
        Contents.Verify(stream, expected);
    }

    [Fact]
    public async Task A_destination_that_fails_is_heard_of()
    {
        using MemoryStream stream = CreateWith(Contents.Of(50_000), piece: 1000);
        stream.Position = 0;
        using NotAPlainMemoryStream destination = new() { Failure = new IOException("full") };
        Assert.Same(destination.Failure, Assert.Throws<IOException>(() => stream.CopyTo(destination)));
        stream.Position = 0;
        Assert.Same(destination.Failure, await Assert.ThrowsAsync<IOException>(() => stream.CopyToAsync(destination)));
        Assert.Same(destination.Failure, Assert.Throws<IOException>(() => stream.WriteTo(destination)));
        Contents.Verify(stream, Contents.Of(50_000));
    }

    private static bool IsDone(ValueTask task) => task.IsCompletedSuccessfully;

    private static bool IsDone(ValueTask<int> task) => task.IsCompletedSuccessfully;

    /// <summary>Nothing that a stream could take a shortcut for.</summary>
    private sealed class NotAPlainMemoryStream : MemoryStream
    {
        internal IOException? Failure { get; init; }

        public override void Write(byte[] buffer, int offset, int count)
        {
            if (Failure is not null)
            {
                throw Failure;
            }

            base.Write(buffer, offset, count);
        }

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            Write(buffer.Span);
        }
    }
}
