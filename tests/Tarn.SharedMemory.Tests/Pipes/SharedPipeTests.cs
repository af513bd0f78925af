using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>Connections by name, as pipes and as streams.</summary>
public sealed class SharedPipeTests : RingTest
{
    [Fact]
    public async Task A_connection_carries_bytes_both_ways_and_leaves_no_name()
    {
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        (SharedPipe client, SharedPipe server) = await ConnectAsync(listener);
        Assert.Equal(
            [Name, Name + ".refused"],
            SharedRegion.List().Select(static region => region.Name).Where(one => one.StartsWith(Name, StringComparison.Ordinal)).Order());
        Assert.Equal((Environment.ProcessId, Environment.ProcessId), (client.PeerProcessId, server.PeerProcessId));

        await using Stream asking = client.AsStream();
        await using Stream answering = server.AsStream();
        await asking.WriteAsync("question"u8.ToArray());
        byte[] question = new byte[8];
        await answering.ReadExactlyAsync(question);
        Assert.Equal("question"u8, question);
        await answering.WriteAsync("answer"u8.ToArray());
        await answering.DisposeAsync();
        using StreamReader answer = new(asking);
        Assert.Equal("answer", await answer.ReadToEndAsync());
        Assert.Equal(0, client.PeerProcessId);
    }

    [Fact]
    public async Task A_stream_keeps_the_contract_of_streams()
    {
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        (SharedPipe client, SharedPipe server) = await ConnectAsync(listener, 64);
        Stream one = client.AsStream();
        Stream other = server.AsStream();
        Assert.True(one.CanRead && one.CanWrite && !one.CanSeek && !one.CanTimeout);
        Assert.Throws<NotSupportedException>(() => one.Length);
        Assert.Throws<NotSupportedException>(() => one.Seek(0, SeekOrigin.Begin));

        // A read of nothing waits until there is something, and takes nothing.
        Task<int> nothing = one.ReadAsync(Memory<byte>.Empty).AsTask();
        Assert.False(nothing.IsCompleted);
        other.WriteByte(5);
        Assert.Equal(0, await nothing.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal(5, one.ReadByte());

        byte[] bytes = new byte[1000];
        Random.Shared.NextBytes(bytes);
        Task writing = OnThread(() => other.Write(bytes));
        byte[] read = new byte[1000];
        one.ReadExactly(read, 0, 1000);
        await writing;
        Assert.Equal(bytes, read);
        using CancellationTokenSource source = new(20);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => Assert.Equal(0, await one.ReadAsync(read, source.Token)));

        await one.DisposeAsync();
        Assert.False(one.CanRead || one.CanWrite);
        Assert.Throws<ObjectDisposedException>(() => one.ReadByte());
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await one.WriteAsync(read));
        Assert.Equal(0, await other.ReadAsync(read));
        Assert.Equal(-1, other.ReadByte());
        await Assert.ThrowsAnyAsync<IOException>(async () => await other.WriteAsync(bytes));
        other.Dispose();
        other.Dispose();
    }

    /// <summary>The other side may take the bytes and close before the call that wrote them looks at it.</summary>
    [Fact]
    public async Task A_write_whose_bytes_were_read_succeeds_although_the_other_side_has_closed()
    {
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        for (int round = 0; round < 100; round++)
        {
            (SharedPipe client, SharedPipe server) = await ConnectAsync(listener);
            await using Stream asking = client.AsStream();
            Task answering = Task.Run(async () =>
            {
                await using Stream stream = server.AsStream();
                await stream.ReadExactlyAsync(new byte[3]);
            });
            await asking.WriteAsync(new byte[3]);
            await answering;
            asking.Write([]);
            await asking.WriteAsync(Memory<byte>.Empty);
            IOException closed = await Assert.ThrowsAsync<IOException>(async () => await asking.WriteAsync(new byte[1]));
            Assert.Contains("has closed the connection", closed.Message, StringComparison.Ordinal);
            Assert.Throws<IOException>(() => asking.Write([]));
        }
    }

    /// <summary>It takes all that was published, and leaves while the rest waits for room.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_write_of_which_only_a_part_was_read_fails_when_the_other_side_closes(bool isAsync)
    {
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        for (int round = 0; round < 20; round++)
        {
            (SharedPipe client, SharedPipe server) = await ConnectAsync(listener, 64);
            await using Stream asking = client.AsStream();
            Task writing = isAsync ? asking.WriteAsync(new byte[10_000]).AsTask() : OnThread(() => asking.Write(new byte[10_000]));
            int read = 0;
            await using (Stream stream = server.AsStream())
            {
                while (read < 500)
                {
                    read += await stream.ReadAsync(new byte[1000]);
                }
            }

            await Assert.ThrowsAsync<IOException>(() => writing.WaitAsync(TimeSpan.FromMinutes(1)));
            Assert.InRange(read, 500, 9_999);
        }
    }

    [Fact]
    public async Task The_clients_of_a_killed_listener_are_told_and_the_next_one_takes_its_name()
    {
        RingChild child = Keep(new RingChild());
        Assert.Equal("ready", child.Answer());
        Assert.Equal("done", child.Ask($"listen {Name} 1"));
        using SharedPipe before = await SharedPipe.ConnectAsync(Name);
        Task<ReadResult> reading = before.Input.ReadAsync().AsTask();
        Task<SharedPipe> connecting = SharedPipe.ConnectAsync(Name).AsTask();
        await Task.Delay(50);
        Assert.False(connecting.IsCompleted);
        child.Kill();
        IOException ended = await Assert.ThrowsAsync<IOException>(() => connecting.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Contains("ended before it accepted the connection", ended.Message, StringComparison.Ordinal);
        SharedPeerLostException lost =
            await Assert.ThrowsAsync<SharedPeerLostException>(() => reading.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal((child.Id, false), (lost.ProcessId, lost.HasLeft));

        using SharedPipeListener next = SharedPipeListener.Create(Name);
        (SharedPipe client, SharedPipe server) = await ConnectAsync(next);
        await client.Output.WriteAsync(new byte[3]);
        Assert.Equal(3, (await server.Input.ReadAsync()).Buffer.Length);
        await client.DisposeAsync();
        await server.DisposeAsync();
    }

    [Fact]
    public async Task An_aborted_connection_ends_the_calls_of_both_sides()
    {
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        (SharedPipe client, SharedPipe server) = await ConnectAsync(listener);
        Task<int> mine = client.AsStream().ReadAsync(new byte[1]).AsTask();
        Task<int> theirs = server.AsStream().ReadAsync(new byte[1]).AsTask();
        client.Abort();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => mine.WaitAsync(TimeSpan.FromMinutes(1)));
        await Assert.ThrowsAsync<SharedPeerLostException>(() => theirs.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal((0, 0), (client.PeerProcessId, server.PeerProcessId));
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public async Task Where_nobody_listens_or_the_listener_ends_a_client_hears_so()
    {
        FileNotFoundException none =
            await Assert.ThrowsAsync<FileNotFoundException>(async () => await SharedPipe.ConnectAsync(Name));
        Assert.Contains($"Nobody listens at \"{Name}\"", none.Message, StringComparison.Ordinal);

        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        await Assert.ThrowsAsync<IOException>(() => Task.Run(() => SharedPipeListener.Create(Name)));
        using CancellationTokenSource source = new(50);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await SharedPipe.ConnectAsync(Name, cancellationToken: source.Token));

        // The client of that request has gone, so the listener passes it over.
        Task<SharedPipe> accepting = listener.AcceptAsync().AsTask();
        Task<SharedPipe> refused = SharedPipe.ConnectAsync(Name).AsTask();
        using SharedPipe accepted = await accepting.WaitAsync(TimeSpan.FromMinutes(1));
        using SharedPipe client = await refused.WaitAsync(TimeSpan.FromMinutes(1));
        Task<SharedPipe> waiting = SharedPipe.ConnectAsync(Name).AsTask();
        Task<SharedPipe> next = listener.AcceptAsync().AsTask();
        using SharedPipe second = await next.WaitAsync(TimeSpan.FromMinutes(1));
        using SharedPipe secondClient = await waiting;

        waiting = SharedPipe.ConnectAsync(Name).AsTask();
        listener.Dispose();
        IOException ended = await Assert.ThrowsAnyAsync<IOException>(() => waiting.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Contains(Name, ended.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await listener.AcceptAsync());
    }

    [Theory]
    [InlineData("")]
    [InlineData("another.0123456789abcdef")]
    [InlineData("{0}.0123456789abcdef")]
    [InlineData("{0}.0123456789ABCDEF")]
    [InlineData("{0}x0123456789abcdef")]
    public async Task A_request_that_is_none_is_passed_over(string text)
    {
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        using (SharedQueue queue = SharedQueue.Open(Name))
        {
            queue.TryWrite(System.Text.Encoding.ASCII.GetBytes(text.Replace("{0}", Name, StringComparison.Ordinal)));
        }

        (SharedPipe client, SharedPipe server) = await ConnectAsync(listener);
        client.Dispose();
        server.Dispose();
    }

    [Fact]
    public void A_listener_refuses_names_that_are_too_long()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => SharedPipeListener.Create(new string('a', 101)));
        Assert.Equal("name", e.ParamName);
    }

    private static async Task<(SharedPipe Client, SharedPipe Server)> ConnectAsync(SharedPipeListener listener, int capacity = 4096)
    {
        Task<SharedPipe> connecting = SharedPipe.ConnectAsync(listener.Name, capacity).AsTask();
        SharedPipe server = await listener.AcceptAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1));
        return (await connecting.WaitAsync(TimeSpan.FromMinutes(1)), server);
    }
}
