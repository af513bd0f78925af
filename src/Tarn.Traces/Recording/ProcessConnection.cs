using System.IO.Pipes;
using System.Net.Sockets;

namespace Tarn.Traces;

/// <summary>
/// A connection to the diagnostics socket of a running process, or to its pipe on Windows, which serves one command. The path of the socket
/// may have any character: the client of the diagnostics tools refuses a comma.
/// </summary>
internal static class ProcessConnection
{
    private static readonly TimeSpan s_longestPipe = TimeSpan.FromMilliseconds(500);

    /// <summary>Connects to a process.</summary>
    /// <exception cref="IOException">It has no socket, or none that answers to this user; the message says which.</exception>
    internal static Stream Open(int id)
    {
        Exception? refusal = null;
        foreach (Func<Stream> connect in WaysTo(id))
        {
            try
            {
                return connect();
            }
            catch (Exception exception) when (IsRefusal(exception))
            {
                refusal = exception;
            }
        }

        throw new IOException(refusal?.Message ?? "it has no diagnostics socket.", refusal);
    }

    /// <summary>How it can be reached. Sockets of earlier processes with the same id may be among the ways.</summary>
    internal static IEnumerable<Func<Stream>> WaysTo(int id) => Path.DirectorySeparatorChar == '\\'
        ? [() => ConnectToPipe($"dotnet-diagnostic-{id}")]
        : ProcessSockets.Of(id).Select<string, Func<Stream>>(path => () => ConnectToSocket(path));

    /// <summary>Whether a connection was refused, or the path of a socket is too long for the system.</summary>
    internal static bool IsRefusal(Exception exception) =>
        exception is SocketException or IOException or ArgumentException or TimeoutException or UnauthorizedAccessException;

    private static NetworkStream ConnectToSocket(string path)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Connects to a pipe. A process that has ended has none, and one that is there soon answers.</summary>
    private static NamedPipeClientStream ConnectToPipe(string name)
    {
        var pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut);
        try
        {
            pipe.Connect(s_longestPipe);
            return pipe;
        }
        catch
        {
            pipe.Dispose();
            throw;
        }
    }
}
