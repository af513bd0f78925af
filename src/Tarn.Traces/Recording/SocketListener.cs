using System.Net.Sockets;

namespace Tarn.Traces;

/// <summary>Listens on a socket in a folder of its own.</summary>
internal sealed class SocketListener : IPortListener
{
    private readonly string _directory = Directory.CreateTempSubdirectory("tarn-").FullName;
    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);

    internal SocketListener()
    {
        _socket.Bind(new UnixDomainSocketEndPoint(Address));
        _socket.Listen();
    }

    public string Address => Path.Combine(_directory, "port");

    public async Task<Stream> AcceptAsync(CancellationToken cancellation) =>
        new NetworkStream(await _socket.AcceptAsync(cancellation).ConfigureAwait(false), ownsSocket: true);

    public void Dispose()
    {
        _socket.Dispose();
        Directory.Delete(_directory, recursive: true);
    }
}
