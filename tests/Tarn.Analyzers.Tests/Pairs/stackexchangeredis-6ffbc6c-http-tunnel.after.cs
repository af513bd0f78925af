// StackExchange/StackExchange.Redis, commit 6ffbc6cf: the array of the request to a proxy was returned as soon as it was sent,
// though the answer was received into it as well. The fix returns it when the answer has been compared,
// though not where it throws, which the reduction adds.
using System;
using System.Buffers;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;

internal static class Tunnel
{
    public static Task ConnectAsync(string endpoint, Socket socket)
    {
        var encoding = Encoding.ASCII;
        const string Prefix = "CONNECT ", Suffix = " HTTP/1.1\n", ExpectedResponse = "HTTP/1.1 200 OK";
        byte[] chunk = ArrayPool<byte>.Shared.Rent(encoding.GetByteCount(Prefix) + encoding.GetByteCount(endpoint) + encoding.GetByteCount(Suffix));
        var offset = 0;
        offset += encoding.GetBytes(Prefix, 0, Prefix.Length, chunk, offset);
        offset += encoding.GetBytes(endpoint, 0, endpoint.Length, chunk, offset);
        offset += encoding.GetBytes(Suffix, 0, Suffix.Length, chunk, offset);
        socket.Send(chunk, offset, SocketFlags.None);

        int toRead = encoding.GetByteCount(ExpectedResponse), read;
        offset = 0;
        while (toRead > 0 && (read = socket.Receive(chunk, offset, toRead, SocketFlags.None)) > 0)
        {
            toRead -= read;
            offset += read;
        }

        if (toRead != 0)
        {
            ArrayPool<byte>.Shared.Return(chunk);
            throw new EndOfStreamException("The proxy closed the connection");
        }

        var actual = encoding.GetString(chunk, 0, offset);
        if (actual != ExpectedResponse)
        {
            ArrayPool<byte>.Shared.Return(chunk);
            throw new InvalidOperationException("The proxy refused");
        }

        ArrayPool<byte>.Shared.Return(chunk);
        return Task.CompletedTask;
    }
}
