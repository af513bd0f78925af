using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>The ends of connections: over a ring that the other side spoiled, beside calls, and where a wait goes on.</summary>
[Collection(nameof(TaskWaiters))]
public sealed class SharedPipeDisposalTests : RingTest
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    public static TheoryData<string> Endings =>
        ["Dispose", "DisposeAsync", "the stream's Dispose", "the stream's DisposeAsync", "Complete", "Abort, Dispose"];

    [Theory]
    [MemberData(nameof(Endings))]
    public async Task A_ring_that_the_other_side_spoiled_keeps_nothing_open_and_the_flush_has_said_so(string ending)
    {
        SharedRing input = Create(1 << 14, ".in");
        SharedRing output = Create(1 << 14, ".out");
        SharedPipe pipe = new(input, output);
        await pipe.Output.WriteAsync(new byte[100]);
        pipe.Output.GetMemory(10);
        pipe.Output.Advance(10);
        SpoilReadPosition(output);
        await EndAsync(pipe, ending);

        Assert.Throws<ObjectDisposedException>(() => input.WriterProcessId);
        Assert.Throws<ObjectDisposedException>(() => output.ReaderProcessId);
        await EndAsync(pipe, ending);
    }

    [Fact]
    public async Task Each_flush_over_a_spoiled_ring_throws_and_a_completion_does_not()
    {
        SharedRing ring = Create(1 << 14);
        PipeWriter writer = SharedPipe.CreateWriter(ring);
        SpoilReadPosition(ring);
        for (int i = 0; i < 10; i++)
        {
            await Assert.ThrowsAsync<InvalidDataException>(async () => await writer.WriteAsync(new byte[50_000]));
            Assert.Equal(0, writer.UnflushedBytes);
        }

        await writer.CompleteAsync();
        Assert.Throws<ObjectDisposedException>(() => ring.WritePosition);
    }

    /// <summary>The other side must not wait for one that is disposed, whatever call that had begun.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Completions_beside_calls_that_wait_end_them_and_tell_the_other_side(bool isAsync)
    {
        for (int round = 0; round < StressLength.Times(20, 200); round++)
        {
            (SharedPipe one, SharedPipe other) = Connect($"-{round}");
            Task<ReadResult> reading = one.Input.ReadAsync().AsTask();
            Task<FlushResult> writing = one.Output.WriteAsync(new byte[50_000]).AsTask();
            Task<ReadResult> waiting = ReadToEndAsync(other.Input);
            Task disposing = isAsync ? one.DisposeAsync().AsTask() : OnThread(one.Dispose);
            await disposing.WaitAsync(s_limit);
            await Assert.ThrowsAsync<ObjectDisposedException>(() => reading.WaitAsync(s_limit));
            if (await Record.ExceptionAsync(() => writing.WaitAsync(s_limit)) is { } cut)
            {
                // No end follows a part of the bytes.
                Assert.IsType<ObjectDisposedException>(cut);
                await Assert.ThrowsAsync<SharedPeerLostException>(() => waiting.WaitAsync(s_limit));
            }
            else
            {
                Assert.True((await waiting.WaitAsync(s_limit)).IsCompleted);
            }

            await other.DisposeAsync().AsTask().WaitAsync(s_limit);
        }
    }

    /// <summary>A ring that stays open is free for the next pipe when the completion returns, although a read waited.</summary>
    [Fact]
    public async Task A_reader_that_is_completed_beside_its_read_leaves_the_ring_to_the_next_one()
    {
        SharedRing ring = Create(4096);
        for (int round = 0; round < 50; round++)
        {
            PipeReader reader = SharedPipe.CreateReader(ring, leaveOpen: true);
            Task<ReadResult> reading = reader.ReadAsync().AsTask();
            await OnThread(() => reader.Complete()).WaitAsync(s_limit);
            await Assert.ThrowsAsync<ObjectDisposedException>(() => reading.WaitAsync(s_limit));
        }
    }

    /// <summary>Both waits are those of the thread on which the code goes on that disposes.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Code_that_goes_on_where_it_waited_may_dispose_what_waits_there(bool isOfPipe)
    {
        SharedRing signal = Create(64, ".signal");
        SharedRing input = Create(64, ".in");
        SharedRing output = Create(64, ".out");
        signal.AllowSynchronousContinuations = input.AllowSynchronousContinuations = output.AllowSynchronousContinuations = true;
        Action dispose = input.Dispose;
        Task waiting;
        if (isOfPipe)
        {
            SharedPipe pipe = new(input, output);
            (dispose, waiting) = (pipe.Dispose, pipe.Input.ReadAsync().AsTask());
        }
        else
        {
            waiting = input.WaitToReadAsync().AsTask();
        }

        Task disposing = DisposeAsync();
        Assert.False(disposing.IsCompleted || waiting.IsCompleted);
        await Task.Delay(50);
        using (SharedRing other = SharedRing.Open(signal.Name))
        {
            other.Write([1]);
        }

        await disposing.WaitAsync(s_limit);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting.WaitAsync(s_limit));

        async Task DisposeAsync()
        {
            await signal.WaitToReadAsync().ConfigureAwait(false);
            dispose();
        }
    }

    /// <summary>The oldest asynchronous calls of the base class let no write in while a read waits.</summary>
    [Fact]
    public void A_write_begins_beside_a_read_that_waits()
    {
        (SharedPipe one, SharedPipe other) = Connect("");
        using Stream stream = one.AsStream();
        using Stream peer = other.AsStream();
        byte[] read = new byte[10];
        IAsyncResult reading = stream.BeginRead(read, 0, 10, null, null);
        IAsyncResult writing = stream.BeginWrite([1, 2, 3], 0, 3, null, null);
        Assert.True(writing.AsyncWaitHandle.WaitOne(s_limit));
        stream.EndWrite(writing);
        peer.Write([4]);
        Assert.True(reading.AsyncWaitHandle.WaitOne(s_limit));
        Assert.Equal(1, stream.EndRead(reading));
        Assert.Equal(4, read[0]);
    }

    [Fact]
    public void Every_stream_begins_reads_and_writes_the_asynchronous_way()
    {
        Type[] streams = [.. typeof(SharedPipe).Assembly.GetTypes().Where(static type => type.IsSubclassOf(typeof(Stream)))];
        Assert.Contains(streams, static type => type.Name == "SharedPipeStream");
        Assert.All(streams, static type =>
        {
            foreach ((string begin, Type[] parameters, string call) in ((string, Type[], string)[])
                [
                    (nameof(Stream.BeginRead), [typeof(Memory<byte>), typeof(CancellationToken)], nameof(Stream.ReadAsync)),
                    (nameof(Stream.BeginWrite), [typeof(ReadOnlyMemory<byte>), typeof(CancellationToken)], nameof(Stream.WriteAsync)),
                ])
            {
                // A stream that is only read refuses writes in the base class.
                bool isOwn = type.GetMethod(call, parameters)!.DeclaringType == type;
                Assert.True(!isOwn || type.GetMethod(begin)!.DeclaringType == type, $"{type}.{begin} is that of the base class.");
            }
        });
    }

    private static async Task EndAsync(SharedPipe pipe, string ending)
    {
        switch (ending)
        {
            case "Dispose":
                pipe.Dispose();
                break;
            case "DisposeAsync":
                await pipe.DisposeAsync();
                break;
            case "the stream's Dispose":
                pipe.AsStream().Dispose();
                break;
            case "the stream's DisposeAsync":
                await pipe.AsStream().DisposeAsync();
                break;
            case "Complete":
                pipe.Output.Complete();
                pipe.Input.Complete();
                break;
            default:
                pipe.Abort(new IOException());
                pipe.Dispose();
                break;
        }
    }

    private static async Task<ReadResult> ReadToEndAsync(PipeReader reader)
    {
        while (true)
        {
            ReadResult result = await reader.ReadAsync();
            reader.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                return result;
            }
        }
    }

    /// <summary>As another process may.</summary>
    private static unsafe void SpoilReadPosition(SharedRing ring) => ring.Header->ReadPosition = 0x7D7D_7D7D_7D7D_7D7D;

    private (SharedPipe One, SharedPipe Other) Connect(string suffix)
    {
        SharedRing up = Create(4096, suffix + ".up");
        SharedRing down = Create(4096, suffix + ".down");
        return (new SharedPipe(SharedRing.Open(down.Name), SharedRing.Open(up.Name)), new SharedPipe(up, down));
    }
}
