using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>
/// The work of a server for each request: a stream of 1 to 16 KiB is created, written in pieces of 1 KiB, read back and disposed; no two in
/// a row have the same size.
/// </summary>
internal struct MixedStreams<TMaker>(TMaker maker, byte[] source, byte[] target) : IWork
    where TMaker : struct, IStreamMaker
{
    /// <summary>The source and the target must be as long.</summary>
    public const int Largest = 16 << 10;

    private const int Piece = 1 << 10;
    private const int Sizes = Largest / Piece;

    // Odd, so that every size comes up, large and small by turns.
    private const int Step = 7;

    private int _next;

    public void Once()
    {
        int size = (_next + 1) * Piece;
        _next = (_next + Step) % Sizes;
        using Stream stream = maker.Create(size);
        for (int done = 0; done < size; done += Piece)
        {
            stream.Write(source, done, Piece);
        }

        stream.Position = 0;
        if (stream.Read(target, 0, size) != size)
        {
            StreamRound.ThrowShort();
        }
    }
}
