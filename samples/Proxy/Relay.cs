using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using Tarn;

namespace Samples;

/// <summary>Carries the bytes of TCP connections to another address and back, through pipes whose memory is Tarn's.</summary>
internal sealed class Relay(IPEndPoint target)
{
    private const int SegmentLength = 64 << 10;

    // A pool of the proxy's own: it keeps at most 64 MiB idle, whatever the number of connections was, and less after 30 idle seconds.
    // Its arrays are pinned, so that a socket need not pin each one again.
    private static readonly BufferPool<byte> s_pool =
        BufferPool<byte>.Create(new BufferPoolOptions { Name = "proxy", MaxRetainedBytes = 64 << 20, Pinned = true });

    // A sender that is faster than its receiver waits when 1 MiB is on the way.
    private static readonly PipeOptions s_pipe = new(
        s_pool.AsMemoryPool(),
        pauseWriterThreshold: 1 << 20,
        resumeWriterThreshold: 512 << 10,
        minimumSegmentSize: SegmentLength,
        useSynchronizationContext: false);

    internal static BufferPoolStatistics Statistics => s_pool.GetStatistics();

    internal static Socket Listen(IPEndPoint endPoint)
    {
        Socket listener = new(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(endPoint);
        listener.Listen();
        return listener;
    }

    /// <summary>Accepts connections until it is stopped, then ends those that are left.</summary>
    internal async Task RunAsync(Socket listener, CancellationToken stop)
    {
        List<Task> connections = [];
        try
        {
            while (true)
            {
                connections.RemoveAll(static connection => connection.IsCompleted);
                connections.Add(ServeAsync(await listener.AcceptAsync(stop), stop));
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task ServeAsync(Socket client, CancellationToken stop)
    {
        using (client)
        using (Socket server = new(target.AddressFamily, SocketType.Stream, ProtocolType.Tcp))
        using (CancellationTokenSource broken = CancellationTokenSource.CreateLinkedTokenSource(stop))
        {
            client.NoDelay = server.NoDelay = true;
            try
            {
                await server.ConnectAsync(target, broken.Token);
                await Task.WhenAll(CarryAsync(client, server, broken), CarryAsync(server, client, broken));
            }
            catch (Exception e) when (e is SocketException or IOException or OperationCanceledException)
            {
                Console.Error.WriteLine($"A connection to {target} ended early: {e.Message}");
            }
        }
    }

    /// <summary>One direction. When a sender ends its part, the receiver is told, and the other direction goes on.</summary>
    private static async Task CarryAsync(Socket from, Socket to, CancellationTokenSource broken)
    {
        Pipe pipe = new(s_pipe);
        await Task.WhenAll(
            EndBothAsync(FillAsync(from, pipe.Writer, broken.Token), broken),
            EndBothAsync(DrainAsync(pipe.Reader, to, broken.Token), broken));
    }

    private static async Task FillAsync(Socket from, PipeWriter writer, CancellationToken broken)
    {
        try
        {
            int received;
            while ((received = await from.ReceiveAsync(writer.GetMemory(SegmentLength), broken)) > 0)
            {
                writer.Advance(received);
                await writer.FlushAsync(broken);
            }
        }
        finally
        {
            // Both ends of a pipe must be completed: only then does its memory return to the pool.
            await writer.CompleteAsync();
        }
    }

    private static async Task DrainAsync(PipeReader reader, Socket to, CancellationToken broken)
    {
        try
        {
            using NetworkStream stream = new(to, ownsSocket: false);
            await reader.CopyToAsync(stream, broken);
            to.Shutdown(SocketShutdown.Send);
        }
        finally
        {
            await reader.CompleteAsync();
        }
    }

    /// <summary>A part that fails ends the other three of its connection, which would otherwise wait.</summary>
    private static async Task EndBothAsync(Task part, CancellationTokenSource broken)
    {
        try
        {
            await part;
        }
        catch
        {
            await broken.CancelAsync();
            throw;
        }
    }
}
