using System.Buffers;
using System.IO;
using System.Threading.Tasks;

internal static class Continued
{
    internal static Task WaitedFor(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Task written = target.WriteAsync(buffer, 0, length);
        written.Wait();
        ArrayPool<byte>.Shared.Return(buffer);
        return written;
    }

    internal static Task NotWaitedFor(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Task written = target.WriteAsync(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN006
        return written; // expect TARN006
    }

    internal static void ReturnedByItsState(Stream target, byte[] data)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(data.Length);
        data.CopyTo(buffer, 0);
        target.WriteAsync(buffer, 0, data.Length).ContinueWith(static (_, state) => ArrayPool<byte>.Shared.Return((byte[])state!), buffer);
    }
}
