// adamhathcock/sharpcompress, commit 85d82e5c: the finally around the rest of the block returned the array of the name,
// which the outer finally returned once more, and the array of the rest never came back. The fix returns the right one.
using System;
using System.Buffers;
using System.IO;
using System.Text;
using System.Threading.Tasks;

internal sealed class TarHeader
{
    private const int BlockSize = 512;
    private const int MaxNameSize = 32768;

    private static async ValueTask<string> ReadLongNameAsync(BlockReader reader, byte[] header)
    {
        long size = ReadSize(header);
        if (size < 0 || size > MaxNameSize)
        {
            throw new InvalidDataException($"A name of {size} bytes is too long");
        }

        int nameLength = (int)size;
        byte[] name = ArrayPool<byte>.Shared.Rent(nameLength);
        try
        {
            await reader.ReadBytesAsync(name, 0, nameLength);
            int restOfBlock = BlockSize - (nameLength % BlockSize);

            if (restOfBlock < BlockSize)
            {
                byte[] rest = ArrayPool<byte>.Shared.Rent(restOfBlock);
                try
                {
                    await reader.ReadBytesAsync(rest, 0, restOfBlock);
                }
                finally
                {
                    ArrayPool<byte>.Shared.Return(rest);
                }
            }

            return Encoding.UTF8.GetString(name, 0, nameLength).TrimEnd('\0');
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(name);
        }
    }

    private static long ReadSize(byte[] header) => header[0];
}

internal sealed class BlockReader(Stream stream)
{
    public async ValueTask ReadBytesAsync(byte[] buffer, int offset, int count) =>
        await stream.ReadExactlyAsync(buffer.AsMemory(offset, count)).ConfigureAwait(false);
}
