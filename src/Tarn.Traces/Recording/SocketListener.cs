using System.Net.Sockets;

namespace Tarn.Traces;

/// <summary>Listens on a socket in a folder of its own.</summary>
internal sealed class SocketListener : IPortListener
{
    private const string Name = "port";

    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);

    internal SocketListener()
        : this(Path.Combine(SocketFolder.Create(Name), Name))
    {
    }

    /// <summary>Listens at an address that another listener had before, and that is gone.</summary>
    internal SocketListener(string address)
    {
        Address = address;
        Directory.CreateDirectory(Folder);
        File.Delete(address);
        _socket.Bind(new UnixDomainSocketEndPoint(address));
        _socket.Listen();
    }

    public string Address { get; }

    private string Folder => Path.GetDirectoryName(Address)!;

    public async Task<Stream> AcceptAsync(CancellationToken cancellation) =>
        new NetworkStream(await _socket.AcceptAsync(cancellation).ConfigureAwait(false), ownsSocket: true);

    public void Dispose()
    {
        _socket.Dispose();
        try
        {
            Directory.Delete(Folder, recursive: true);
        }
        catch (DirectoryNotFoundException)
        {
            // Someone cleaned up the folder for temporary files.
        }
    }
}
