using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>Clients that send the first half of a request and wait, which makes the server keep what they sent.</summary>
internal static class SlowConnections
{
    /// <summary>Connections opened at a time: fewer than the listener's backlog.</summary>
    private const int OpenedAtATime = 100;

    private static readonly byte[] s_firstHalf = "GET /get HTTP/1.1\r\nHost: localhost\r\nX-Slow: "u8.ToArray();
    private static readonly byte[] s_secondHalf = "yes\r\nConnection: close\r\n\r\n"u8.ToArray();

    /// <summary>Opens connections, holds them for a while, and then sends the second halves.</summary>
    public static SlowFound Run(ServerProcess server, int count, TimeSpan hold) => RunAsync(server, count, hold).GetAwaiter().GetResult();

    private static async Task<SlowFound> RunAsync(ServerProcess server, int count, TimeSpan hold)
    {
        int port = server.AddressOf(ServerProtocol.Http1).Port;
        List<Socket> sockets = [];
        try
        {
            foreach (int[] some in Enumerable.Range(0, count).Chunk(OpenedAtATime))
            {
                sockets.AddRange(await Task.WhenAll(some.Select(_ => OpenAsync(port))));
            }

            long pooled = 0;
            long resident = 0;
            long start = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(start) < hold)
            {
                ServerCounters now = server.ReadCounters();
                pooled = Math.Max(pooled, now.InUseBytes + now.RetainedBytes);
                resident = Math.Max(resident, now.ResidentBytes);
                await Task.Delay(100);
            }

            bool[] answers = await Task.WhenAll(sockets.Select(EndAsync));
            return new SlowFound(count, answers.Count(isAnswered => isAnswered), pooled, resident);
        }
        finally
        {
            sockets.ForEach(socket => socket.Dispose());
        }
    }

    private static async Task<Socket> OpenAsync(int port)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, port);
        await socket.SendAsync(s_firstHalf);
        return socket;
    }

    /// <summary>Whether the server answers the whole request with success.</summary>
    private static async Task<bool> EndAsync(Socket socket)
    {
        await socket.SendAsync(s_secondHalf);
        var answer = new byte[1024];
        int length = 0;
        while (await socket.ReceiveAsync(answer.AsMemory(length)) is > 0 and var received)
        {
            length += received;
        }

        ReadOnlySpan<byte> whole = answer.AsSpan(0, length);
        return whole.StartsWith("HTTP/1.1 200 "u8) && whole.EndsWith("\r\n\r\nok"u8);
    }
}

/// <summary>What slow clients found.</summary>
/// <param name="Connections">How many there were.</param>
/// <param name="Answered">How many got their answer.</param>
/// <param name="PooledBytes">The most pooled bytes in use and idle while they waited.</param>
/// <param name="ResidentBytes">The most resident memory while they waited.</param>
internal readonly record struct SlowFound(int Connections, int Answered, long PooledBytes, long ResidentBytes);
