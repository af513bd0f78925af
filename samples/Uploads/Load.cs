using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;

namespace Samples;

/// <summary>Uploads to the server that runs in this process, and counts what both allocate.</summary>
internal static class Load
{
    private const int UploadLength = 300 << 10;
    private const int AtOnce = 4;

    internal static async Task<int> RunAsync(Uri server, int uploads)
    {
        using HttpClient client = new() { BaseAddress = server };
        byte[] contents = new byte[UploadLength];
        new Random(1).NextBytes(contents);
        await UploadAsync(client, contents);

        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long start = Stopwatch.GetTimestamp();
        await Parallel.ForEachAsync(
            Enumerable.Range(0, uploads),
            new ParallelOptions { MaxDegreeOfParallelism = AtOnce },
            async (_, _) => await UploadAsync(client, contents));
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{uploads:N0} uploads of {UploadLength >> 10} KiB, {uploads / time.TotalSeconds:N0} a second."));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"{allocated / uploads:N0} bytes allocated an upload, by server and client together."));
        return await IsKeptAsync(client, contents) && await IsRefusedAsync(client, contents) ? 0 : 1;
    }

    private static async Task UploadAsync(HttpClient client, byte[] contents)
    {
        using ByteArrayContent body = new(contents);
        using HttpResponseMessage response = await client.PostAsync(new Uri("/uploads", UriKind.Relative), body);
        response.EnsureSuccessStatusCode();
    }

    private static async Task<bool> IsKeptAsync(HttpClient client, byte[] contents)
    {
        string hash = Convert.ToHexString(SHA256.HashData(contents));
        byte[] kept = await client.GetByteArrayAsync(new Uri($"/uploads/{hash}", UriKind.Relative));
        bool isEqual = kept.AsSpan().SequenceEqual(contents);
        Console.WriteLine(isEqual ? "The server returned what was uploaded." : "The server returned something else than was uploaded.");
        return isEqual;
    }

    /// <summary>What a network changed on the way is refused.</summary>
    private static async Task<bool> IsRefusedAsync(HttpClient client, byte[] contents)
    {
        using ByteArrayContent body = new(contents);
        body.Headers.Add("Content-Digest", $"sha-256=:{Convert.ToBase64String(new byte[SHA256.HashSizeInBytes])}:");
        using HttpResponseMessage response = await client.PostAsync(new Uri("/uploads", UriKind.Relative), body);
        bool isRefused = response.StatusCode == HttpStatusCode.BadRequest;
        Console.WriteLine($"The server {(isRefused ? "refused" : "took")} an upload with a wrong digest.");
        return isRefused;
    }
}
