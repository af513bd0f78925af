using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Tarn;

namespace Samples;

/// <summary>
/// Keeps uploads as files that are named after their contents. An upload is in memory until it is complete and proven to be what its sender
/// meant, so a client that breaks off leaves nothing behind.
/// </summary>
internal sealed class UploadStore(string folder)
{
    // The memory of finished uploads serves the next ones: at most 256 MiB of it, and less after 30 idle seconds.
    private static readonly PooledMemoryStreamOptions s_spool = new()
    {
        Pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "uploads", MaxRetainedBytes = 256 << 20 }),
    };

    /// <summary>Saves the body of a request. Its header <c>Content-Digest</c>, if there is one, must fit the body.</summary>
    public async Task<IResult> SaveAsync(HttpRequest request)
    {
        // It grows without copying, so it need not trust the length that the client states.
        using PooledMemoryStream spool = new(s_spool);
        await request.BodyReader.CopyToAsync(spool, request.HttpContext.RequestAborted);

        spool.Position = 0;
        byte[] digest = SHA256.HashData(spool);
        string stated = request.Headers["Content-Digest"].ToString();
        if (stated.Length > 0 && stated != $"sha-256=:{Convert.ToBase64String(digest)}:")
        {
            return Results.BadRequest($"The body of {spool.Length} bytes does not have the Content-Digest {stated}.");
        }

        string hash = Convert.ToHexString(digest);
        string unfinished = Path.Combine(folder, Path.GetRandomFileName());
        await using (FileStream file = new(unfinished, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0, useAsync: true))
        {
            spool.Position = 0;
            await spool.CopyToAsync(file);
        }

        File.Move(unfinished, Path.Combine(folder, hash), overwrite: true);
        return Results.Created($"/uploads/{hash}", new Upload(hash, spool.Length));
    }

    /// <summary>Returns an upload by its hash.</summary>
    public IResult Find(string hash)
    {
        string path = Path.Combine(folder, hash);
        bool isHash = hash.Length == 2 * SHA256.HashSizeInBytes && hash.All(char.IsAsciiHexDigit);
        return isHash && File.Exists(path) ? Results.File(path) : Results.NotFound();
    }
}

/// <param name="Sha256">The hash of the contents, as hexadecimal digits.</param>
/// <param name="Bytes">Their length.</param>
internal sealed record Upload(string Sha256, long Bytes);
