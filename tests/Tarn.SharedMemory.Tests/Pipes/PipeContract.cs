using System.Buffers;
using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>What holds for a reader and a writer of any pipe, which use a ring or the BCL's memory.</summary>
public abstract class PipeContract : RingTest
{
    private protected PipeReader Reader { get; private set; } = null!;

    private protected PipeWriter Writer { get; private set; } = null!;

    /// <summary>How much can be written while nothing is read.</summary>
    private protected abstract int Room { get; }

    private protected abstract (PipeReader Reader, PipeWriter Writer) CreatePipe();

    public override void Dispose()
    {
        Reader?.Complete();
        Writer?.Complete(new IOException("the test is over"));
        base.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task What_is_flushed_is_read_and_what_is_not_consumed_comes_again()
    {
        Begin();
        await WriteAsync(1, 2, 3);
        ReadResult result = await Reader.ReadAsync();
        Assert.Equal([1, 2, 3], result.Buffer.ToArray());
        Assert.False(result.IsCompleted || result.IsCanceled);
        Reader.AdvanceTo(result.Buffer.GetPosition(1));
        Assert.True(Reader.TryRead(out result));
        Assert.Equal([2, 3], result.Buffer.ToArray());

        Reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
        Assert.False(Reader.TryRead(out _));
        await WriteAsync(4);
        result = await Reader.ReadAsync();
        Assert.Equal([2, 3, 4], result.Buffer.ToArray());
        Reader.AdvanceTo(result.Buffer.GetPosition(2), result.Buffer.End);
        Assert.False(Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_read_waits_for_a_flush_and_only_for_one_with_bytes()
    {
        Begin();
        Task<ReadResult> reading = Reader.ReadAsync().AsTask();
        Writer.GetSpan(1)[0] = 7;
        Writer.Advance(1);
        Assert.Equal(1, Writer.UnflushedBytes);
        Assert.False(reading.IsCompleted);
        await Writer.FlushAsync();
        Assert.Equal(0, Writer.UnflushedBytes);
        ReadResult result = await reading.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal([7], result.Buffer.ToArray());
        Reader.AdvanceTo(result.Buffer.End);
        await Writer.FlushAsync();
        Assert.False(Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_reader_gets_more_than_a_pipe_has_room_for_if_it_examines_all()
    {
        Begin();
        int count = 5 * Room;
        Task writing = Task.Run(async () =>
        {
            for (int i = 0; i < count; i++)
            {
                await WriteAsync((byte)i);
            }
        });
        ReadResult result = await Reader.ReadAtLeastAsync(count).AsTask().WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(Bytes(count), result.Buffer.ToArray());
        Reader.AdvanceTo(result.Buffer.GetPosition(count - 1));

        // The last flush may wait for the last read: what that returned is examined only now.
        await writing.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.True(Reader.TryRead(out result));
        Assert.Equal([(byte)(count - 1)], result.Buffer.ToArray());
        Reader.AdvanceTo(result.Buffer.End);
    }

    [Fact]
    public async Task A_write_of_more_than_the_room_comes_whole_and_its_flush_waits_for_the_reader()
    {
        Begin();
        byte[] bytes = Bytes(7 * Room);
        Task<FlushResult> writing = Writer.WriteAsync(bytes).AsTask();
        Assert.False(writing.IsCompleted);
        Assert.Equal(bytes, await ReadAsync(bytes.Length));
        Assert.False((await writing.WaitAsync(TimeSpan.FromMinutes(1))).IsCompleted);

        Writer.Write(bytes);
        Assert.Equal(bytes.Length, Writer.UnflushedBytes);
        Task<FlushResult> flushing = Writer.FlushAsync().AsTask();
        Assert.False(flushing.IsCompleted);
        Assert.Equal(bytes, await ReadAsync(bytes.Length));
        Assert.False((await flushing.WaitAsync(TimeSpan.FromMinutes(1))).IsCanceled);
        Assert.Equal(0, Writer.UnflushedBytes);
    }

    [Fact]
    public async Task CancelPendingRead_ends_the_read_in_progress_or_the_next_one_and_no_other()
    {
        Begin();
        for (int i = 0; i < 20; i++)
        {
            Task<ReadResult> reading = Reader.ReadAsync().AsTask();
            Assert.False(reading.IsCompleted);
            Thread.SpinWait(i * 1000);
            Reader.CancelPendingRead();
            Assert.True((await reading.WaitAsync(TimeSpan.FromMinutes(1))).IsCanceled);

            Reader.CancelPendingRead();
            ReadResult next = await Reader.ReadAsync();
            Assert.True(next.IsCanceled && next.Buffer.IsEmpty);
            Reader.AdvanceTo(next.Buffer.Start, next.Buffer.End);
            Assert.False(Reader.TryRead(out _));
        }

        await WriteAsync(1);
        Reader.CancelPendingRead();
        Assert.True(Reader.TryRead(out ReadResult result));
        Assert.Equal((true, 1L), (result.IsCanceled, result.Buffer.Length));
        Reader.AdvanceTo(result.Buffer.End);
    }

    [Fact]
    public async Task A_token_ends_a_read_or_a_flush_and_no_byte_is_lost()
    {
        Begin();
        using CancellationTokenSource source = new();
        Task<ReadResult> reading = Reader.ReadAsync(source.Token).AsTask();
        byte[] bytes = Bytes(4 * Room);
        source.Cancel();
        OperationCanceledException e =
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal(source.Token, e.CancellationToken);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Reader.ReadAsync(source.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Writer.FlushAsync(source.Token));

        using CancellationTokenSource later = new();
        Task<FlushResult> writing = Writer.WriteAsync(bytes, later.Token).AsTask();
        Assert.False(writing.IsCompleted);
        later.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing.WaitAsync(TimeSpan.FromMinutes(1)));
        Task<FlushResult> flushing = Writer.FlushAsync().AsTask();
        Assert.Equal(bytes, await ReadAsync(bytes.Length));
        await flushing.WaitAsync(TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task CancelPendingFlush_ends_the_flush_in_progress_or_the_next_one_and_loses_nothing()
    {
        Begin();
        byte[] bytes = Bytes(4 * Room);
        Writer.CancelPendingFlush();
        Assert.True((await Writer.FlushAsync()).IsCanceled);
        Assert.False((await Writer.FlushAsync()).IsCanceled);
        Task<FlushResult> writing = Writer.WriteAsync(bytes).AsTask();
        Writer.CancelPendingFlush();
        Assert.True((await writing.WaitAsync(TimeSpan.FromMinutes(1))).IsCanceled);
        Task<FlushResult> flushing = Writer.FlushAsync().AsTask();
        Assert.Equal(bytes, await ReadAsync(bytes.Length));
        Assert.False((await flushing.WaitAsync(TimeSpan.FromMinutes(1))).IsCanceled);
    }

    [Fact]
    public async Task A_completed_writer_ends_the_reads_when_all_is_read()
    {
        Begin();
        await WriteAsync(1, 2);
        Writer.GetSpan(1)[0] = 3;
        Writer.Advance(1);
        await Writer.CompleteAsync();
        await Writer.CompleteAsync();
        ReadResult result = await Reader.ReadAtLeastAsync(100);
        Assert.Equal([1, 2, 3], result.Buffer.ToArray());
        Assert.True(result.IsCompleted);
        Reader.AdvanceTo(result.Buffer.End);
        result = await Reader.ReadAsync();
        Assert.True(result.IsCompleted && result.Buffer.IsEmpty);
        Reader.AdvanceTo(result.Buffer.End);
        Assert.ThrowsAny<InvalidOperationException>(() => Writer.GetMemory());
    }

    [Fact]
    public async Task A_completion_ends_a_read_in_progress()
    {
        Begin();
        Task<ReadResult> reading = Reader.ReadAsync().AsTask();
        await Writer.CompleteAsync();
        ReadResult result = await reading.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.True(result.IsCompleted && result.Buffer.IsEmpty);
    }

    [Fact]
    public async Task A_writer_that_completes_with_an_exception_ends_the_reads_with_one()
    {
        Begin();
        Task<ReadResult> reading = Reader.ReadAsync().AsTask();
        await Writer.CompleteAsync(new IOException("no more"));
        await Assert.ThrowsAnyAsync<IOException>(() => reading.WaitAsync(TimeSpan.FromMinutes(1)));
        await Assert.ThrowsAnyAsync<IOException>(async () => await Reader.ReadAsync());
        Assert.ThrowsAny<IOException>(() => Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_completed_reader_completes_the_flushes()
    {
        Begin();
        await WriteAsync(1);
        await Reader.ReadAsync();
        Task<FlushResult> writing = Writer.WriteAsync(Bytes(4 * Room)).AsTask();
        Assert.False(writing.IsCompleted);
        await Reader.CompleteAsync();
        Reader.Complete();
        Assert.True((await writing.WaitAsync(TimeSpan.FromMinutes(1))).IsCompleted);
        Assert.True((await Writer.WriteAsync(Bytes(1))).IsCompleted);
        Assert.True((await Writer.WriteAsync(Bytes(4 * Room)).AsTask().WaitAsync(TimeSpan.FromMinutes(1))).IsCompleted);
        Assert.ThrowsAny<InvalidOperationException>(() => Reader.TryRead(out _));
        await Assert.ThrowsAnyAsync<InvalidOperationException>(async () => await Reader.ReadAsync());
    }

    [Fact]
    public async Task Wrong_calls_are_refused()
    {
        Begin();
        Assert.Throws<ArgumentOutOfRangeException>(() => Writer.GetMemory(-1));
        int length = Writer.GetMemory(10).Length;
        Assert.InRange(length, 10, int.MaxValue);
        Assert.Throws<ArgumentOutOfRangeException>(() => Writer.Advance(length + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => Writer.Advance(-1));
        await WriteAsync(1, 2, 3);
        Assert.Throws<InvalidOperationException>(() => Reader.AdvanceTo(default));
        ReadResult result = await Reader.ReadAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await Reader.ReadAsync());
        ReadOnlySequence<byte> buffer = result.Buffer;
        Assert.Throws<InvalidOperationException>(() => Reader.AdvanceTo(buffer.GetPosition(2), buffer.GetPosition(1)));
    }

    private protected static byte[] Bytes(int count) => [.. Enumerable.Range(0, count).Select(static i => (byte)i)];

    private protected void Begin() => (Reader, Writer) = CreatePipe();

    private async Task WriteAsync(params byte[] bytes) => Assert.False((await Writer.WriteAsync(bytes)).IsCanceled);

    private async Task<byte[]> ReadAsync(int count)
    {
        List<byte> all = [];
        while (all.Count < count)
        {
            ReadResult result = await Reader.ReadAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1));
            all.AddRange(result.Buffer.ToArray());
            Reader.AdvanceTo(result.Buffer.End);
        }

        return [.. all];
    }
}
