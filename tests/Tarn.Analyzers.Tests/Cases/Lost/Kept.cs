using System;
using System.Buffers;
using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;

static class KeptByOthers
{
    static void Receive(Socket socket, SocketAsyncEventArgs arguments)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096);
        arguments.SetBuffer(buffer, 0, buffer.Length);
        socket.ReceiveAsync(arguments);
    }

    static void ReceiveMemory(Socket socket, SocketAsyncEventArgs arguments)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096);
        arguments.SetBuffer(buffer.AsMemory());
        socket.ReceiveAsync(arguments);
    }

    static Task ReturnedBehind(Stream target)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096);
        return target.WriteAsync(buffer, 0, 10).ContinueWith(
            static (done, state) =>
            {
                ArrayPool<byte>.Shared.Return((byte[])state!);
                done.GetAwaiter().GetResult();
            },
            buffer,
            TaskScheduler.Default);
    }
}

static class KeptByNobody
{
    static int Receive(Socket socket)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096); // expect TARN011
        return socket.Receive(buffer);
    }
}
