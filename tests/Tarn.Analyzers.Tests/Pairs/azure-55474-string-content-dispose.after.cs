// Azure/azure-sdk-for-net#55474 (RequestContent of a string; the fix is the one that the issue asks for).
// The encoded string was kept in a rented array that every Dispose returned: content disposed by its user and by the
// pipeline put the array into the pool twice. The fix returns the array only while the field holds one.
using System;
using System.Buffers;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

internal abstract class RequestContent : IDisposable
{
    public abstract void Dispose();

    internal abstract Task WriteToAsync(Stream stream, CancellationToken cancellation);

    internal static RequestContent Create(string content) => new EncodedString(content);

    private sealed class EncodedString : RequestContent
    {
        private byte[]? _buffer;
        private readonly int _length;

        internal EncodedString(string value)
        {
            int byteCount = Encoding.UTF8.GetMaxByteCount(value.Length);
            _buffer = ArrayPool<byte>.Shared.Rent(byteCount);
            _length = Encoding.UTF8.GetBytes(value, 0, value.Length, _buffer, 0);
        }

        public override void Dispose()
        {
            byte[]? buffer = _buffer;
            if (buffer != null)
            {
                _buffer = null;
                ArrayPool<byte>.Shared.Return(buffer, clearArray: true);
            }
        }

        internal override async Task WriteToAsync(Stream stream, CancellationToken cancellation)
        {
            await stream.WriteAsync(_buffer.AsMemory(0, _length), cancellation).ConfigureAwait(false);
        }
    }
}
