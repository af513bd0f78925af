// spotware/OpenAPI.Net#14 (and #12): a frame was read until the pooled array was full instead of the frame, so the head of the next
// one went missing. The fix counts with the length of the frame.
using System;
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

internal sealed class Client(Stream stream, Action<string> onNext, Action<Exception> onError)
{
    public bool IsDisposed { get; set; }

    private async Task ReadTcpAsync(CancellationToken cancellationToken)
    {
        var prefix = new byte[sizeof(int)];

        try
        {
            while (!IsDisposed)
            {
                var readBytes = 0;

                do
                {
                    var count = prefix.Length - readBytes;

                    readBytes += await stream.ReadAsync(prefix, readBytes, count, cancellationToken).ConfigureAwait(false);

                    if (readBytes == 0)
                    {
                        throw new InvalidOperationException("The other side closed the connection");
                    }
                }
                while (readBytes < prefix.Length);

                Array.Reverse(prefix);

                var length = BitConverter.ToInt32(prefix, 0);

                if (length <= 0)
                {
                    continue;
                }

                var data = ArrayPool<byte>.Shared.Rent(length);

                readBytes = 0;

                do
                {
                    var count = length - readBytes;

                    readBytes += await stream.ReadAsync(data, readBytes, count, cancellationToken).ConfigureAwait(false);

                    if (readBytes == 0)
                    {
                        throw new InvalidOperationException("The other side closed the connection");
                    }
                }
                while (readBytes < length);

                var message = Convert.ToHexString(data, 0, length);

                ArrayPool<byte>.Shared.Return(data);

                onNext(message);
            }
        }
        catch (Exception exception)
        {
            onError(exception);
        }
    }
}
