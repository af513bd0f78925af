using System.Net;
using System.Net.Sockets;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>A socket that the other process connects to: of the Unix domain, or of TCP on the loopback.</summary>
internal sealed class SocketRoute : MessageRoute
{
    private readonly Socket _listener;

    public SocketRoute(string name)
        : base(name)
    {
        bool isTcp = name == MessageNames.Tcp;
        string path = Path.Combine(Path.GetTempPath(), $"tarn-lab-{Guid.NewGuid():N}.sock");
        _listener = CreateSocket(name);
        _listener.Bind(isTcp ? new IPEndPoint(IPAddress.Loopback, 0) : new UnixDomainSocketEndPoint(path));
        _listener.Listen(1);
        Address = isTcp ? _listener.LocalEndPoint!.ToString()! : path;
    }

    public override string Address { get; }

    /// <summary>The other process is connected already, so this does not wait.</summary>
    public override MessageEnd Connect()
    {
        Socket socket = _listener.Accept();
        SetOptions(socket, Name);
        return CreateEnd(socket);
    }

    public static MessageEnd OpenEnd(string name, string address)
    {
        Socket socket = CreateSocket(name);
        socket.Connect(name == MessageNames.Tcp ? IPEndPoint.Parse(address) : new UnixDomainSocketEndPoint(address));
        return CreateEnd(socket);
    }

    /// <summary>A path goes with the listener that was bound to it.</summary>
    public override void Dispose() => _listener.Dispose();

    private static Socket CreateSocket(string name)
    {
        Socket socket = name == MessageNames.Tcp
            ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        SetOptions(socket, name);
        return socket;
    }

    private static void SetOptions(Socket socket, string name)
    {
        // A message goes at once, even if an answer to the last is still due.
        if (name == MessageNames.Tcp)
        {
            socket.NoDelay = true;
        }

        socket.SendBufferSize = BufferSize;
        socket.ReceiveBufferSize = BufferSize;
    }

    private static MessageEnd<FrameSender<SocketPort>, FrameReceiver<SocketPort>> CreateEnd(Socket socket) =>
        new(new(new(socket)), new(new(socket)), socket);
}
