namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>A way to compress that works on streams, and leaves them open.</summary>
internal interface ICompression
{
    Stream Compress(Stream target);

    Stream Decompress(Stream source);
}
