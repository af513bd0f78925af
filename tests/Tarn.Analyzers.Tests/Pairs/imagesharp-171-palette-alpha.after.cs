// SixLabors/ImageSharp#171 (commit a322a31c): of the three arrays for a palette the one of the alpha values was not returned.
// The fix returns it too, and writes it while it is rented.
using System;
using System.Buffers;
using System.IO;

internal sealed class PngEncoder(byte threshold)
{
    private void WritePalette(Stream stream, uint[] palette, int bitDepth)
    {
        byte pixelCount = (byte)palette.Length;

        int colorTableLength = (int)Math.Pow(2, bitDepth) * 3;
        byte[] colorTable = ArrayPool<byte>.Shared.Rent(colorTableLength);
        byte[] alphaTable = ArrayPool<byte>.Shared.Rent(pixelCount);
        byte[] bytes = ArrayPool<byte>.Shared.Rent(4);
        bool anyAlpha = false;
        try
        {
            for (byte i = 0; i < pixelCount; i++)
            {
                int offset = i * 3;
                BitConverter.TryWriteBytes(bytes, palette[i]);

                byte alpha = bytes[3];

                colorTable[offset] = bytes[0];
                colorTable[offset + 1] = bytes[1];
                colorTable[offset + 2] = bytes[2];

                if (alpha > threshold)
                {
                    alpha = 255;
                }

                anyAlpha = anyAlpha || alpha < 255;
                alphaTable[i] = alpha;
            }

            WriteChunk(stream, "PLTE", colorTable, 0, colorTableLength);

            if (anyAlpha)
            {
                WriteChunk(stream, "tRNS", alphaTable, 0, pixelCount);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(colorTable);
            ArrayPool<byte>.Shared.Return(alphaTable);
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private static void WriteChunk(Stream stream, string type, byte[] data, int offset, int length)
    {
        stream.WriteByte((byte)type[0]);
        stream.Write(data, offset, length);
    }
}
