using System.IO.Compression;

namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>GZip at its fastest, so that the stream's part of the work can be seen.</summary>
internal readonly struct GZip : ICompression
{
    public Stream Compress(Stream target) => new GZipStream(target, CompressionLevel.Fastest, leaveOpen: true);

    public Stream Decompress(Stream source) => new GZipStream(source, CompressionMode.Decompress, leaveOpen: true);
}
