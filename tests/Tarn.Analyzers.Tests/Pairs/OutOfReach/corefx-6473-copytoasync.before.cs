// dotnet/corefx#6472, fixed by dotnet/corefx#6473 (StreamHelpers.ArrayPoolCopyToAsync).
// A rented buffer was handed to two streams of anybody and returned in a finally, whatever had happened: a stream that
// was still writing went on in an array of the pool. The fix gave up the pooled buffer there.
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

internal static class StreamCopy
{
    internal static async Task CopyAsync(Stream source, Stream destination, int bufferSize, CancellationToken cancellation)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(bufferSize);
        try
        {
            int bytesRead;
            while ((bytesRead = await source.ReadAsync(buffer, 0, bufferSize, cancellation).ConfigureAwait(false)) != 0)
            {
                await destination.WriteAsync(buffer, 0, bytesRead, cancellation).ConfigureAwait(false);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer, clearArray: true); // a reader sees TARN013
        }
    }
}
