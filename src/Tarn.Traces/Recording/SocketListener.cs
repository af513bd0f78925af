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
        Directory.CreateDirectory(Path.GetDirectoryName(address)!);
        File.Delete(address);
        _socket.Bind(new UnixDomainSocketEndPoint(address));
        _socket.Listen();
    }

    public string Address { get; }

    public async Task<Stream> AcceptAsync(CancellationToken cancellationToken) =>
        new NetworkStream(await _socket.AcceptAsync(cancellationToken).ConfigureAwait(false), ownsSocket: true);

    public void Dispose()
    {
        _socket.Dispose();
        Remove(Address);
    }

    /// <summary>Whether an address is one that a listener made for itself, and so may be removed.</summary>
    internal static bool IsAddress(string address) =>
        Path.IsPathRooted(address) && Path.GetFileName(address) == Name && SocketFolder.IsOwn(Path.GetDirectoryName(address)!);

    /// <summary>Removes a socket, then its folder, unless that holds anything else.</summary>
    internal static void Remove(string address)
    {
        try
        {
            File.Delete(address);
            Directory.Delete(Path.GetDirectoryName(address)!);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Someone cleaned up the folder for temporary files, or put something into this one.
        }
    }
}
