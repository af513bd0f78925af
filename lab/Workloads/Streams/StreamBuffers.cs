using System.Security.Cryptography;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>
/// The memory that streams are filled from and read to, the same for every contender, and the buffer of the two copies. It grows on demand
/// and keeps its pages, so that no contender pays for touching them first.
/// </summary>
internal sealed class StreamBuffers
{
    /// <summary>Random bytes.</summary>
    public byte[] Source { get; private set; } = [];

    public byte[] Target { get; private set; } = [];

    /// <summary>The buffer of the two copies.</summary>
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
