using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Json;

namespace Samples;

/// <summary>The job of a worker, as many programs have one: writes orders as JSON, compresses them, and sends the result.</summary>
internal static class ExportJob
{
    /// <summary>Runs the job once.</summary>
    /// <param name="newStream">Makes the streams that hold the document and the compressed document.</param>
    /// <param name="orders">The orders to write.</param>
    /// <returns>What was sent, as a hash.</returns>
    internal static string Run(Func<MemoryStream> newStream, Order[] orders)
    {
        using MemoryStream document = newStream();
        JsonSerializer.Serialize(document, orders);

        using MemoryStream compressed = newStream();
        document.Position = 0;
        using (GZipStream gzip = new(compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            document.CopyTo(gzip);
        }

        compressed.Position = 0;
        return Send(compressed);
    }

    /// <summary>Stands for a network: reads the stream to its end.</summary>
    private static string Send(MemoryStream message)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(message, hash);
        return Convert.ToHexString(hash[..8]);
    }
}

/// <param name="Number">Its number.</param>
/// <param name="Customer">Who ordered.</param>
/// <param name="Amount">What is to be paid.</param>
internal sealed record Order(int Number, string Customer, decimal Amount);
