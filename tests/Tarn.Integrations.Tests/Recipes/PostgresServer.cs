using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Tarn.Integrations.Tests.Recipes;

/// <summary>
/// A server of PostgreSQL's protocol, version 3, for one table with one row: it keeps the bytes of an insert and returns them to a select.
/// </summary>
internal sealed class PostgresServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    internal PostgresServer()
    {
        _listener.Start();
        _ = AcceptAsync();
    }

    internal byte[]? Stored { get; private set; }

    internal string ConnectionString =>
        $"Host=127.0.0.1;Port={((IPEndPoint)_listener.LocalEndpoint).Port};Username=any;Database=any;SSL Mode=Disable;"
        + "GSS Encryption Mode=Disable;Server Compatibility Mode=NoTypeLoading";

    public void Dispose() => _listener.Dispose();

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync();
                _ = Task.Run(() => Serve(client));
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The test has ended.
        }
    }

    private void Serve(TcpClient client)
    {
        using (client)
        {
            NetworkStream stream = client.GetStream();
            Read(stream, BinaryPrimitives.ReadInt32BigEndian(Read(stream, 4)) - 4);
            Send(stream, 'R', [0, 0, 0, 0]);
            foreach ((string name, string value) in (ReadOnlySpan<(string, string)>)
                [("server_version", "17.0"), ("client_encoding", "UTF8"), ("standard_conforming_strings", "on")])
            {
                Send(stream, 'S', Encoding.UTF8.GetBytes($"{name}\0{value}\0"));
            }

            Send(stream, 'K', new byte[8]);
            Send(stream, 'Z', "I"u8);
            string statement = "";
            while (stream.ReadByte() is var kind and not ('X' or -1))
            {
                byte[] message = Read(stream, BinaryPrimitives.ReadInt32BigEndian(Read(stream, 4)) - 4);
                statement = Answer(stream, (char)kind, message, statement);
            }
        }
    }

    /// <summary>Answers one message. Returns the statement that later messages are about.</summary>
    private string Answer(NetworkStream stream, char kind, byte[] message, string statement)
    {
        switch (kind)
        {
            case 'P':
                Send(stream, '1', []);
                int start = message.AsSpan().IndexOf((byte)0) + 1;
                return Encoding.UTF8.GetString(message.AsSpan(start, message.AsSpan(start).IndexOf((byte)0)));
            case 'B':
                Stored = statement.StartsWith("insert", StringComparison.Ordinal) ? LastParameterOf(message) : Stored;
                Send(stream, '2', []);
                break;
            case 'D' when statement.StartsWith("select", StringComparison.Ordinal):
                // One column: its name, no table, no number, bytea, any length, no modifier, binary.
                Send(stream, 'T', [0, 1, .. "contents\0"u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17, 255, 255, 255, 255, 255, 255, 0, 1]);
                break;
            case 'D':
                Send(stream, 'n', []);
                break;
            case 'E' when statement.StartsWith("select", StringComparison.Ordinal):
                byte[] length = new byte[4];
                BinaryPrimitives.WriteInt32BigEndian(length, Stored!.Length);
                Send(stream, 'D', [0, 1, .. length], Stored);
                Send(stream, 'C', "SELECT 1\0"u8);
                break;
            case 'E':
                Send(stream, 'C', "INSERT 0 1\0"u8);
                break;
            case 'Q':
                Send(stream, 'C', "DISCARD ALL\0"u8);
                Send(stream, 'Z', "I"u8);
                break;
            case 'S':
                Send(stream, 'Z', "I"u8);
                break;
        }

        return statement;
    }

    /// <summary>Reads a Bind message: two names, the parameters' formats, their values.</summary>
    private static byte[] LastParameterOf(byte[] message)
    {
        int at = message.AsSpan().IndexOf((byte)0) + 1;
        at += message.AsSpan(at).IndexOf((byte)0) + 1;
        at += 2 + (2 * BinaryPrimitives.ReadInt16BigEndian(message.AsSpan(at)));
        int count = BinaryPrimitives.ReadInt16BigEndian(message.AsSpan(at));
        at += 2;
        ReadOnlySpan<byte> value = [];
        for (int i = 0; i < count; i++)
        {
            int length = BinaryPrimitives.ReadInt32BigEndian(message.AsSpan(at));
            value = message.AsSpan(at + 4, length);
            at += 4 + length;
        }

        return value.ToArray();
    }

    private static byte[] Read(NetworkStream stream, int count)
    {
        byte[] bytes = new byte[count];
        stream.ReadExactly(bytes);
        return bytes;
    }

    /// <summary>Sends a message without a copy of its last part, which may be large.</summary>
    private static void Send(NetworkStream stream, char kind, ReadOnlySpan<byte> contents, ReadOnlySpan<byte> last = default)
    {
        byte[] message = new byte[5 + contents.Length];
        message[0] = (byte)kind;
        BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(1), 4 + contents.Length + last.Length);
        contents.CopyTo(message.AsSpan(5));
        stream.Write(message);
        stream.Write(last);
    }
}
