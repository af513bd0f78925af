using System.Buffers;
using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>What a ring adds to a pipe: messages, other processes that end, and memory that another thread unmaps.</summary>
public sealed class RingPipeTests : RingTest
{
    [Fact]
    public async Task The_bytes_of_messages_are_read_up_to_an_empty_one()
    {
        SharedRing ring = Create(256);
        PipeReader reader = SharedPipe.CreateReader(ring, leaveOpen: true);
        SharedRing messages = Open();
        messages.Write([1, 2]);
        messages.Write([3]);
        messages.Write([]);
        messages.Write([4]);

        ReadResult result = await reader.ReadAsync();
        Assert.Equal([1, 2, 3], result.Buffer.ToArray());
        Assert.True(result.IsCompleted);
        Assert.False(result.Buffer.IsSingleSegment);
        reader.AdvanceTo(result.Buffer.End);
        await reader.CompleteAsync();

        // The next reader reads what follows the end.
        PipeReader next = SharedPipe.CreateReader(ring);
        result = await next.ReadAsync();
        Assert.Equal([4], result.Buffer.ToArray());
        Assert.False(result.IsCompleted);
        await next.CompleteAsync();
        Assert.Throws<ObjectDisposedException>(() => ring.ReadPosition);
    }

    [Fact]
    public async Task A_flush_is_one_message_and_its_bytes_are_written_and_read_in_place()
    {
        SharedRing ring = Create(4096);
        PipeWriter writer = SharedPipe.CreateWriter(ring);
        PipeReader reader = SharedPipe.CreateReader(Open());
        Memory<byte> room = writer.GetMemory(100);
        room.Span[..3].Fill(1);
        writer.Advance(3);
        writer.GetSpan(1)[0] = 2;
        writer.Advance(1);
        await writer.FlushAsync();
        Assert.Equal(RingHeaderSizes.RecordOf(4), ring.WritePosition);

        ReadResult result = await reader.ReadAsync();
        Assert.Equal([1, 1, 1, 2], result.Buffer.ToArray());

        // Whoever changes the room changes what the reader has.
        room.Span[0] = 9;
        Assert.Equal(9, result.Buffer.FirstSpan[0]);
        reader.AdvanceTo(result.Buffer.End);
        Assert.Equal(ring.WritePosition, ring.ReadPosition);
        await writer.CompleteAsync();
        await reader.CompleteAsync();
    }

    [Fact]
    public async Task Nothing_is_published_before_the_flush_not_even_several_records()
    {
        SharedRing ring = Create(4096);
        PipeWriter writer = SharedPipe.CreateWriter(ring);
        PipeReader reader = SharedPipe.CreateReader(Open());
        for (int i = 0; i < 10; i++)
        {
            byte[] part = new byte[150 + i];
            writer.Write(part);
        }

        Assert.Equal(1545, writer.UnflushedBytes);
        writer.GetMemory(2000);
        Assert.Equal(0, ring.WritePosition);
        Assert.False(reader.TryRead(out _));
        await writer.FlushAsync();
        Assert.True(reader.TryRead(out ReadResult result));
        Assert.Equal(1545, result.Buffer.Length);
        await writer.CompleteAsync(new IOException());
        await reader.CompleteAsync();
    }

    [Fact]
    public async Task A_killed_writer_is_told_of_after_its_bytes_and_by_each_read()
    {
        SharedRing ring = Create(4096);
        RingChild child = Child();
        Assert.Equal("done", child.Ask("attach-writer"));
        PipeReader reader = SharedPipe.CreateReader(ring);
        Task<ReadResult> reading = reader.ReadAsync().AsTask();
        child.Kill();

        SharedPeerLostException lost =
            await Assert.ThrowsAsync<SharedPeerLostException>(() => reading.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal((child.Id, false), (lost.ProcessId, lost.HasLeft));
        await Assert.ThrowsAsync<SharedPeerLostException>(async () => await reader.ReadAsync());
        Assert.Throws<SharedPeerLostException>(() => reader.TryRead(out _));
        await reader.CompleteAsync();
    }

    [Fact]
    public async Task A_killed_reader_is_told_of_when_there_is_no_room_and_by_each_flush()
    {
        SharedRing ring = Create(64);
        RingChild child = Child();
        Assert.Equal("done", child.Ask("attach-reader"));
        PipeWriter writer = SharedPipe.CreateWriter(ring);
        Task<FlushResult> writing = writer.WriteAsync(new byte[100]).AsTask();
        child.Kill();

        SharedPeerLostException lost =
            await Assert.ThrowsAsync<SharedPeerLostException>(() => writing.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal((child.Id, false), (lost.ProcessId, lost.HasLeft));
        await Assert.ThrowsAsync<SharedPeerLostException>(async () => await writer.FlushAsync());
        await writer.CompleteAsync();
    }

    [Fact]
    public async Task Disposal_by_another_thread_ends_the_calls_and_leaves_the_memory()
    {
        for (int i = 0; i < 20; i++)
        {
            SharedRing ring = Keep(SharedRing.Create($"{Name}-{i}", 64));
            using SharedRing other = SharedRing.Open(ring.Name);
            PipeReader reader = SharedPipe.CreateReader(ring);
            PipeWriter writer = SharedPipe.CreateWriter(ring);
            await writer.WriteAsync(new byte[] { 1, 2, 3 });
            ReadResult result = await reader.ReadAsync();
            Memory<byte> room = writer.GetMemory(4);
            Task<FlushResult> writing = writer.WriteAsync(new byte[200]).AsTask();
            Task disposing = Task.Run(ring.Dispose);

            await Assert.ThrowsAsync<ObjectDisposedException>(() => writing.WaitAsync(TimeSpan.FromMinutes(1)));
            await disposing;
            Assert.Equal([1, 2, 3], result.Buffer.ToArray());
            using MemoryHandle pin = room.Pin();
            room.Span[0] = 7;
            reader.AdvanceTo(result.Buffer.End);
            await Assert.ThrowsAsync<ObjectDisposedException>(async () => await reader.ReadAsync());
            await writer.CompleteAsync();
            await reader.CompleteAsync();
            Assert.Throws<ObjectDisposedException>(() => room.Span[0]);
        }
    }

    /// <summary>Nobody will read what is written then, so nothing of it is kept, whoever writes it and however.</summary>
    [Theory]
    [InlineData("a reader that has completed")]
    [InlineData("a reader that was killed")]
    [InlineData("an abortion")]
    [InlineData("an abortion with a reason")]
    public async Task Nothing_waits_for_a_reader_that_has_gone(string cause)
    {
        SharedRing ring = Create(4096);
        SharedRing back = Create(4096, "-back");
        RingChild child = Child();
        Assert.Equal("done", child.Ask("attach-reader"));
        using SharedPipe pipe = new(back, ring);
        await pipe.Output.WriteAsync(new byte[100]);
        switch (cause)
        {
            case "a reader that has completed":
                Assert.Equal("done", child.Ask("dispose"));
                break;
            case "a reader that was killed":
                child.Kill();
                break;
            default:
                pipe.Abort(cause.EndsWith("reason", StringComparison.Ordinal) ? new IOException("no more") : null);
                break;
        }

        byte[] bytes = new byte[100_000];
        Stream stream = pipe.AsStream();
        for (int i = 0; i < 20; i++)
        {
            await IgnoreAsync(async () => await pipe.Output.WriteAsync(bytes));
            await IgnoreAsync(async () =>
            {
                pipe.Output.GetMemory(bytes.Length);
                pipe.Output.Advance(bytes.Length);
                await pipe.Output.FlushAsync();
            });
            await IgnoreAsync(async () => await stream.WriteAsync(bytes));
            await IgnoreAsync(() =>
            {
                stream.Write(bytes);
                return Task.CompletedTask;
            });
            Assert.Equal(0, pipe.Output.UnflushedBytes);
        }

        async Task IgnoreAsync(Func<Task> call)
        {
            try
            {
                await Task.Run(call).WaitAsync(TimeSpan.FromMinutes(1));
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException)
            {
                // Whatever it says, it keeps nothing.
            }
        }
    }

    [Fact]
    public void A_role_that_is_taken_is_refused_and_leaves_nothing()
    {
        SharedRing ring = Create(64);
        PipeReader reader = SharedPipe.CreateReader(ring);
        Assert.Throws<InvalidOperationException>(() => SharedPipe.CreateReader(Open()));
        using SharedRing other = SharedRing.Open(Name);
        Assert.Throws<InvalidOperationException>(() => new SharedPipe(other, ring));
        Assert.Throws<ArgumentNullException>(() => SharedPipe.CreateWriter(null!));
        reader.Complete();
        Assert.Throws<ObjectDisposedException>(() => SharedPipe.CreateReader(ring));
    }

    /// <summary>A completion finds room for the end, even where a flush does not end.</summary>
    [Fact]
    public async Task The_end_needs_no_reader()
    {
        SharedRing ring = Create(64);
        PipeWriter writer = SharedPipe.CreateWriter(ring, leaveOpen: true);
        writer.CancelPendingFlush();
        writer.Write(new byte[32]);
        await writer.FlushAsync();
        ValueTask completion = writer.CompleteAsync();
        Assert.True(completion.IsCompletedSuccessfully);
        await completion;
        PipeReader reader = SharedPipe.CreateReader(ring);
        Assert.Equal(32, (await reader.ReadAsync()).Buffer.Length);
        await reader.CompleteAsync();
    }

    private static class RingHeaderSizes
    {
        internal static long RecordOf(int length) => 8 + ((length + 7) / 8 * 8);
    }
}
