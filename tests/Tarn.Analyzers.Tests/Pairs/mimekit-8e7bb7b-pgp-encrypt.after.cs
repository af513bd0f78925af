// jstedfast/MimeKit, commit 8e7bb7bb: the array was returned in the finally around the copying and again in the finally around it all.
// The fix leaves the outer one.
using System;
using System.Buffers;
using System.IO;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

internal static class PgpContext
{
    private const int BufferLength = 4096;

    private static async Task<Stream> EncryptAsync(ICryptoTransform encrypter, Stream content, bool doAsync, CancellationToken cancellationToken)
    {
        var memory = new MemoryStream();

        using (var armored = new CryptoStream(memory, new ToBase64Transform(), CryptoStreamMode.Write, leaveOpen: true))
        {
            var buffer = ArrayPool<byte>.Shared.Rent(BufferLength);

            try
            {
                using (var compressed = await CompressAsync(content, buffer, BufferLength, doAsync, cancellationToken).ConfigureAwait(false))
                {
                    using (var encrypted = new CryptoStream(armored, encrypter, CryptoStreamMode.Write, leaveOpen: true))
                    {
                        int read;

                        while ((read = compressed.Read(buffer, 0, BufferLength)) > 0)
                        {
                            cancellationToken.ThrowIfCancellationRequested();
                            encrypted.Write(buffer, 0, read);
                        }

                        encrypted.Flush();
                    }
                }

                armored.Flush();
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }

        memory.Position = 0;

        return memory;
    }

    private static async Task<Stream> CompressAsync(Stream content, byte[] buffer, int bufferLength, bool doAsync, CancellationToken cancellationToken)
    {
        var compressed = new MemoryStream();
        using (var compressor = new DeflateStream(compressed, CompressionLevel.Optimal, leaveOpen: true))
        {
            int read;
            while ((read = doAsync
                ? await content.ReadAsync(buffer.AsMemory(0, bufferLength), cancellationToken).ConfigureAwait(false)
                : content.Read(buffer, 0, bufferLength)) > 0)
            {
                compressor.Write(buffer, 0, read);
            }
        }

        compressed.Position = 0;
        return compressed;
    }
}
