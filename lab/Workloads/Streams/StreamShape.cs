namespace Tarn.Lab.Workloads.Streams;

/// <summary>The work on a stream: its writes and reads.</summary>
/// <param name="Size">Bytes in all.</param>
/// <param name="Piece">Bytes in one call; <see cref="Whole"/> for one call, 1 for calls that take a single byte.</param>
/// <param name="Growth">How many bytes more each stream of a round holds than the one before.</param>
internal readonly record struct StreamShape(int Size, int Piece, int Growth = 0)
{
    public const int Whole = int.MaxValue;

    /// <summary>The most bytes a stream of the round holds.</summary>
    public int Largest => Size + ((StreamRound.Loops - 1) * Growth);

    /// <summary>The most bytes of one call.</summary>
    public int LargestPiece => Math.Min(Piece, Largest);
}
