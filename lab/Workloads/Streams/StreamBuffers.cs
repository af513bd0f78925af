using System.Security.Cryptography;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>
/// What streams are filled from and read into, the same memory for every contender, and the buffer that two copies go through.
/// Grows with what is asked for and keeps its pages, so that nobody pays for touching them first.
/// </summary>
internal sealed class StreamBuffers
{
    /// <summary>Random bytes.</summary>
    public byte[] Source { get; private set; } = [];

    public byte[] Target { get; private set; } = [];

    /// <summary>Where the two copies go through.</summary>
    public byte[] Kept { get; private set; } = [];

    /// <summary>Makes them large enough for work of this shape.</summary>
    public StreamBuffers For(StreamShape shape, bool withKept = false)
    {
        if (Source.Length < shape.LargestPiece)
        {
            Source = GC.AllocateUninitializedArray<byte>(shape.LargestPiece);
            Target = GC.AllocateUninitializedArray<byte>(shape.LargestPiece);
            RandomNumberGenerator.Fill(Source);
            Array.Clear(Target);
        }

        if (withKept && Kept.Length < shape.Largest)
        {
            Kept = GC.AllocateUninitializedArray<byte>(shape.Largest);
            Array.Clear(Kept);
        }

        return this;
    }
}
