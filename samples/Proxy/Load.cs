using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using Tarn;

namespace Samples;

/// <summary>Sends bytes through the proxy to a server that sends them back, and compares.</summary>
internal static class Load
{
    private const int Connections = 4;
    private const int PieceLength = 256 << 10;

    internal static async Task<int> RunAsync(int mebibytes)
    {
        using CancellationTokenSource stop = new();
        using Socket echo = Relay.Listen(new IPEndPoint(IPAddress.Loopback, 0));
        using Socket proxy = Relay.Listen(new IPEndPoint(IPAddress.Loopback, 0));
        Task echoing = EchoAsync(echo, stop.Token);
        Task relaying = new Relay((IPEndPoint)echo.LocalEndPoint!).RunAsync(proxy, stop.Token);

        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long start = Stopwatch.GetTimestamp();
        int pieces = mebibytes * ((1 << 20) / PieceLength);
        bool[] equal = await Task.WhenAll(
            Enumerable.Range(0, Connections).Select(i => SendAsync((IPEndPoint)proxy.LocalEndPoint!, (pieces + i) / Connections, seed: i)));
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;

        await stop.CancelAsync();
        await Task.WhenAll(echoing, relaying);
        BufferPoolStatistics pool = Relay.Statistics;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{mebibytes:N0} MiB there and back, {mebibytes / time.TotalSeconds:N0} a second."));
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{allocated / mebibytes:N0} bytes allocated a MiB."));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"The pool lent {pool.Rented:N0} buffers and allocated {pool.Allocated:N0}. {pool.InUseBytes:N0} bytes are still lent."));
        if (equal.All(static one => one))
        {
            Console.WriteLine("What came back is what was sent.");
            return 0;
        }

        Console.Error.WriteLine("What came back is not what was sent.");
        return 1;
    }

    private static async Task<bool> SendAsync(IPEndPoint proxy, int pieces, int seed)
    {
        using Socket socket = new(proxy.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(proxy);
        using NetworkStream stream = new(socket);
        Task<byte[]> back = SHA256.HashDataAsync(stream).AsTask();
        using IncrementalHash sent = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        byte[] piece = new byte[PieceLength];
        new Random(seed).NextBytes(piece);
        for (int i = 0; i < pieces; i++)
        {
            piece[0] = (byte)i;
            sent.AppendData(piece);
            await stream.WriteAsync(piece);
        }

        socket.Shutdown(SocketShutdown.Send);
        byte[] returned = await back;
        return sent.GetHashAndReset().AsSpan().SequenceEqual(returned);
    }

    /// <summary>The server behind the proxy.</summary>
    private static async Task EchoAsync(Socket listener, CancellationToken stop)
    {
        for (int i = 0; i < Connections; i++)
        {
            _ = EchoOneAsync(await listener.AcceptAsync(stop), stop);
        }
    }

    private static async Task EchoOneAsync(Socket socket, CancellationToken stop)
    {
        using NetworkStream stream = new(socket, ownsSocket: true);
        await stream.CopyToAsync(stream, stop);
        socket.Shutdown(SocketShutdown.Send);
    }
}
