using System.IO.Pipes;
using System.Net;
using System.Net.Sockets;

namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>The other end of a socket or a pipe: a thread that reads messages of one size and says when one is complete.</summary>
internal sealed class Receiver : IDisposable
{
    private const int ReadSize = 256 << 10;

    private readonly Stream _source;
    private readonly int _messageSize;
    private readonly SemaphoreSlim _complete = new(0);
    private readonly Thread _thread;

    private Receiver(Stream sink, Stream source, int messageSize)
    {
        Sink = sink;
        _source = source;
        _messageSize = messageSize;
        _thread = new Thread(Receive) { IsBackground = true, Name = "lab receiver" };
        _thread.Start();
    }

    /// <summary>Where messages are written.</summary>
    public Stream Sink { get; }

    /// <summary>How many bytes have arrived; read it when a message is complete.</summary>
    public long BytesReceived { get; private set; }

    /// <summary>Over TCP within this machine.</summary>
    public static Receiver OverSocket(int messageSize)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var sender = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        sender.Connect(listener.LocalEndpoint);
        Socket receiver = listener.AcceptSocket();
        return new Receiver(new NetworkStream(sender, ownsSocket: true), new NetworkStream(receiver, ownsSocket: true), messageSize);
    }

    /// <summary>Over a pipe of the operating system.</summary>
    public static Receiver OverPipe(int messageSize)
    {
        var writer = new AnonymousPipeServerStream(PipeDirection.Out);
        return new Receiver(writer, new AnonymousPipeClientStream(PipeDirection.In, writer.ClientSafePipeHandle), messageSize);
    }

    public void WaitForMessage() => _complete.Wait();

    public void Dispose()
    {
        Sink.Dispose();
        _thread.Join();
        _source.Dispose();
        _complete.Dispose();
    }

    private void Receive()
    {
        var buffer = new byte[ReadSize];
        int missing = _messageSize;
        while (_source.Read(buffer, 0, Math.Min(buffer.Length, missing)) is int read and > 0)
        {
            BytesReceived += read;
            missing -= read;
            if (missing == 0)
            {
                missing = _messageSize;
                _complete.Release();
            }
        }
    }
}
