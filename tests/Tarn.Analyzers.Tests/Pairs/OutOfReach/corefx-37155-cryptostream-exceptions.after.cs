// dotnet/corefx#37155 (CryptoStream, reading).
// A rented input array was given to an unsealed stream and returned in a finally, also when the read had thrown and the
// array might still be written. The fix returns it only when the read has succeeded.
using System;
using System.Buffers;
using System.IO;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

internal sealed class DecryptingReader
{
    private readonly Stream _stream;
    private readonly ICryptoTransform _transform;
    private readonly int _blockSize;

    internal DecryptingReader(Stream stream, ICryptoTransform transform)
    {
        _stream = stream;
        _transform = transform;
        _blockSize = transform.InputBlockSize;
    }

    internal async Task<int> ReadBlocksAsync(byte[] output, int blocks, CancellationToken cancellation)
    {
        int wanted = blocks * _blockSize;
        byte[] input = ArrayPool<byte>.Shared.Rent(wanted);
        int read = 0;
        do
        {
            int amount = await _stream.ReadAsync(input.AsMemory(read, wanted - read), cancellation).ConfigureAwait(false);
            if (amount == 0)
            {
                break;
            }

            read += amount;
        }
        while (read < wanted);

        int whole = read / _blockSize * _blockSize;
        int transformed = _transform.TransformBlock(input, 0, whole, output, 0);

        CryptographicOperations.ZeroMemory(input.AsSpan(0, read));
        ArrayPool<byte>.Shared.Return(input);
        return transformed;
    }
}
