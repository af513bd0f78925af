// Cysharp/MemoryPack#249 (commits 0a91ce7 and 2131f6f): a first version returned the array in the loop and rented a larger one, while the finally
// returns the variable: were there no larger array to be had, the old one went back twice. The second version finds the size before it rents.
using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Threading;
using System.Threading.Tasks;

internal sealed class BrotliCompressor(IReadOnlyList<ReadOnlyMemory<byte>> written, int quality, int window)
{
    public async ValueTask CopyToAsync(Stream stream, int bufferSize = 65535, CancellationToken cancellationToken = default)
    {
        using var encoder = new BrotliEncoder(quality, window);

        foreach (var item in written)
        {
            if (item.Length > bufferSize)
            {
                bufferSize = item.Length;
            }
        }

        var buffer = ArrayPool<byte>.Shared.Rent(bufferSize);
        try
        {
            foreach (var item in written)
            {
                var source = item;
                var lastResult = OperationStatus.DestinationTooSmall;
                while (lastResult == OperationStatus.DestinationTooSmall)
                {
                    lastResult = encoder.Compress(source.Span, buffer, out int bytesConsumed, out int bytesWritten, isFinalBlock: false);
                    if (lastResult == OperationStatus.InvalidData)
                    {
                        throw new InvalidDataException();
                    }

                    if (bytesWritten > 0)
                    {
                        await stream.WriteAsync(buffer.AsMemory(0, bytesWritten), cancellationToken).ConfigureAwait(false);
                    }

                    if (bytesConsumed > 0)
                    {
                        source = source.Slice(bytesConsumed);
                    }
                }
            }

            encoder.Compress(ReadOnlySpan<byte>.Empty, buffer, out _, out var last, isFinalBlock: true);
            if (last > 0)
            {
                await stream.WriteAsync(buffer.AsMemory(0, last), cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
