// dotnet/dotNext, commit d704b98e0 "Fixed regression" (StreamExtensions.ReadStringAsync).
// The result was made of all the rented characters instead of those that the decoder had written, so strings of
// multi-byte text ended in what the pool had left there. The fix keeps the number decoded and slices.
using System;
using System.Buffers;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

internal static class StreamReading
{
    internal static async ValueTask<string> ReadStringAsync(Stream stream, int length, Encoding encoding, Memory<byte> buffer, CancellationToken token)
    {
        if (length == 0)
        {
            return string.Empty;
        }

        using IMemoryOwner<char> result = MemoryPool<char>.Shared.Rent(length);
        length = await DecodeAsync(stream, length, result.Memory, encoding.GetDecoder(), buffer, token).ConfigureAwait(false);
        return new string(result.Memory.Span.Slice(0, length));
    }

    private static async ValueTask<int> DecodeAsync(Stream stream, int length, Memory<char> result, Decoder decoder, Memory<byte> buffer, CancellationToken token)
    {
        int offset = 0;
        while (length > 0)
        {
            int read = await stream.ReadAsync(buffer.Slice(0, Math.Min(length, buffer.Length)), token).ConfigureAwait(false);
            if (read == 0)
            {
                throw new EndOfStreamException();
            }

            length -= read;
            offset += decoder.GetChars(buffer.Span.Slice(0, read), result.Span.Slice(offset), length == 0);
        }

        return offset;
    }
}
