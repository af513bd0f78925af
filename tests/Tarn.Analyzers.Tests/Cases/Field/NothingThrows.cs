using System;
using System.Buffers;
using System.IO;

// Keeping something alive throws nothing.
internal static class NothingThrows
{
    internal static void KeptAlive()
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(64);
        GC.KeepAlive(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void Written(Stream stream)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(64); // expect TARN012
        stream.Write(buffer, 0, 64);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}
