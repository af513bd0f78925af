// justcoding121/titanium-web-proxy#546: the task of the write was returned while the finally gave the array back (to a pool of their
// own, here the base library's), so the bytes on the wire were another's. The fix returns it when the write is over.
using System;
using System.Buffers;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

internal sealed class HttpWriter(Stream stream, int bufferSize)
{
    private static readonly byte[] s_newLine = [13, 10];

    private readonly Encoder _encoder = Encoding.ASCII.GetEncoder();
    private readonly char[] _chars = new char[bufferSize];

    private Task WriteInternalAsync(string value, bool addNewLine, CancellationToken cancellationToken)
    {
        int newLineChars = addNewLine ? s_newLine.Length : 0;
        int charCount = value.Length;
        if (charCount < bufferSize - newLineChars)
        {
            value.CopyTo(0, _chars, 0, charCount);

            var buffer = ArrayPool<byte>.Shared.Rent(bufferSize);
            try
            {
                int index = _encoder.GetBytes(_chars, 0, charCount, buffer, 0, true);
                if (newLineChars > 0)
                {
                    Buffer.BlockCopy(s_newLine, 0, buffer, index, newLineChars);
                    index += newLineChars;
                }

                return stream.WriteAsync(buffer, 0, index, cancellationToken).ContinueWith(
                    _ =>
                    {
                        ArrayPool<byte>.Shared.Return(buffer);
                    },
                    TaskScheduler.Default);
            }
            catch
            {
                ArrayPool<byte>.Shared.Return(buffer);
                throw;
            }
        }
        else
        {
            var exact = new byte[charCount + newLineChars + 1];
            int index = _encoder.GetBytes(value.ToCharArray(), 0, charCount, exact, 0, true);
            if (newLineChars > 0)
            {
                Buffer.BlockCopy(s_newLine, 0, exact, index, newLineChars);
                index += newLineChars;
            }

            return stream.WriteAsync(exact, 0, index, cancellationToken);
        }
    }
}
