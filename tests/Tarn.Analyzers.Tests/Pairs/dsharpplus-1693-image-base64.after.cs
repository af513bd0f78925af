// DSharpPlus/DSharpPlus#1693: each round read and encoded as much as the pooled array holds though it counted the size that was asked for,
// so images came out damaged. The fix reads into a span of that size.
using System;
using System.Buffers;
using System.Buffers.Text;
using System.IO;
using System.Text;

internal sealed class ImageTool(Stream source)
{
    public string GetBase64()
    {
        const int ReadLength = 3072;
        const int WriteLength = 4096;

        int contentLength = Base64.GetMaxEncodedToUtf8Length((int)source.Length);

        byte[] encoded = ArrayPool<byte>.Shared.Rent(contentLength + 19);
        byte[] readBacking = ArrayPool<byte>.Shared.Rent(ReadLength);

        Span<byte> readBuffer = readBacking.AsSpan()[..ReadLength];

        int processed = 0;
        int totalWritten = 0;

        "data:image/png;base"u8.CopyTo(encoded);
        totalWritten += 19;

        while (processed < source.Length - ReadLength)
        {
            source.Read(readBuffer);

            Base64.EncodeToUtf8(readBuffer, encoded.AsSpan().Slice(totalWritten, WriteLength), out int _, out int written, false);

            processed += ReadLength;
            totalWritten += written;
        }

        int remaining = (int)source.Length - processed;

        source.Read(readBacking, 0, remaining);

        Base64.EncodeToUtf8(readBacking.AsSpan()[..remaining], encoded.AsSpan()[totalWritten..], out int _, out int lastWritten);

        string value = Encoding.UTF8.GetString(encoded.AsSpan()[..(totalWritten + lastWritten)]);

        ArrayPool<byte>.Shared.Return(encoded);
        ArrayPool<byte>.Shared.Return(readBacking);

        return value;
    }
}
