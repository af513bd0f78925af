using System.Net;
using System.Net.Sockets;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>A socket to each reader, to which the other process connects: of the Unix domain, or of TCP on the loopback.</summary>
internal sealed class SocketRoute : MessageRoute
{
    private readonly Socket _listener;

    public SocketRoute(string name, MessageTraffic traffic)
        : base(name, traffic)
    {
        bool isTcp = name == MessageNames.Tcp;
        string path = Path.Combine(Path.GetTempPath(), $"{UniqueName()}.sock");
        _listener = CreateSocket(name);
        _listener.Bind(isTcp ? new IPEndPoint(IPAddress.Loopback, 0) : new UnixDomainSocketEndPoint(path));
        _listener.Listen(traffic.Ways);
        Address = isTcp ? _listener.LocalEndPoint!.ToString()! : path;
    }

    public override string Address { get; }

    /// <summary>The other process is connected already, so this does not wait.</summary>
    public override MessageEnds Connect()
    {
        Socket[] sockets = [.. Enumerable.Range(0, Traffic.Ways).Select(_ => _listener.Accept())];
        Array.ForEach(sockets, socket => SetOptions(socket, Name));
        return new(
            Traffic.IsAnswered ? [CreateWriter(sockets, Traffic)] : [], [.. sockets.Select(socket => CreateReader(socket, Traffic))]);
    }

    public static MessageEnds OpenEnds(string name, string address, MessageTraffic traffic)
    {
        Socket[] sockets = [.. Enumerable.Range(0, traffic.Ways).Select(_ => CreateSocket(name))];
        Array.ForEach(sockets, socket =>
            socket.Connect(name == MessageNames.Tcp ? IPEndPoint.Parse(address) : new UnixDomainSocketEndPoint(address)));
        return new([CreateWriter(sockets, traffic)], traffic.IsAnswered ? [CreateReader(sockets[0], traffic)] : []);
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

        socket.SendBufferSize = MessageTraffic.UsualBytes;
        socket.ReceiveBufferSize = MessageTraffic.UsualBytes;
    }

    private static MessageWriter CreateWriter(Socket[] sockets, MessageTraffic traffic) => FanOut<FrameSender<SocketPort>>.CreateWriter(
        [.. sockets.Select(socket => new FrameSender<SocketPort>(new(socket), traffic.Length))], traffic.Length, sockets);

    private static BlockingReader<FrameReceiver<SocketPort>> CreateReader(Socket socket, MessageTraffic traffic) =>
        new(new(new(socket), traffic.Length), socket);
}
