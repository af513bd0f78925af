using System.IO.Compression;

namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>Brotli at its fastest, so that the stream's part of the work can be seen.</summary>
internal readonly struct Brotli : ICompression
{
    public Stream Compress(Stream target) => new BrotliStream(target, CompressionLevel.Fastest, leaveOpen: true);

    public Stream Decompress(Stream source) => new BrotliStream(source, CompressionMode.Decompress, leaveOpen: true);
}
