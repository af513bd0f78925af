using System.Buffers.Binary;
using System.Net.Sockets;

namespace Tarn.Traces;

/// <summary>
/// A reversed diagnostics port: a socket to which every .NET process started with its address connects before its first instruction. The
/// process then waits until it is resumed. Children inherit the address, so a whole tree of processes connects.
/// </summary>
internal sealed class DiagnosticPort : IDisposable
{
    /// <summary>The variable that names the port to the runtime.</summary>
    internal const string Variable = "DOTNET_DiagnosticPorts";

    // "ADVR_V1\0", the runtime's cookie, the process's id, two bytes for the future.
    private const int AdvertisementBytes = 34;
    private const int ProcessIdAt = 24;

    private readonly string _directory;
    private readonly Socket _socket;
    private readonly List<Socket> _connections = [];

    internal DiagnosticPort()
    {
        _directory = Directory.CreateTempSubdirectory("tarn-").FullName;
        Address = Path.Combine(_directory, "port");
        _socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        _socket.Bind(new UnixDomainSocketEndPoint(Address));
        _socket.Listen();
    }

    /// <summary>The path of the socket.</summary>
    internal string Address { get; }

    /// <summary>Returns the next process that connects. A resumed process connects again.</summary>
    internal async Task<WaitingProcess> AcceptAsync(CancellationToken cancellation)
    {
        while (true)
        {
            Socket connection = await _socket.AcceptAsync(cancellation).ConfigureAwait(false);
            var advertisement = new byte[AdvertisementBytes];
            if (await TryReadAsync(connection, advertisement, cancellation).ConfigureAwait(false)
                && advertisement.AsSpan().StartsWith("ADVR_V1\0"u8))
            {
                // Keep the connection open: a runtime whose connection is closed connects again.
                _connections.Add(connection);
                return new WaitingProcess((int)BinaryPrimitives.ReadInt64LittleEndian(advertisement.AsSpan(ProcessIdAt)), connection);
            }

            connection.Dispose();
        }
    }

    public void Dispose()
    {
        foreach (Socket connection in _connections)
        {
            connection.Dispose();
        }

        _socket.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private static async Task<bool> TryReadAsync(Socket connection, Memory<byte> bytes, CancellationToken cancellation)
    {
        while (bytes.Length > 0)
        {
            int read = await connection.ReceiveAsync(bytes, cancellation).ConfigureAwait(false);
            if (read == 0)
            {
                return false;
            }

            bytes = bytes[read..];
        }

        return true;
    }
}
