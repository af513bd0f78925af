using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Streams;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>One way of writing, such as in pieces of 4 KiB, at several sizes; not every contender takes part at every size.</summary>
/// <param name="Id">Part of the ids of comparisons.</param>
/// <param name="Title">As in a table's heading.</param>
/// <param name="Piece">Bytes in one call.</param>
/// <param name="Sizes">What quick runs measure.</param>
/// <param name="FullSizes">What full runs measure.</param>
internal sealed record StreamSeries(string Id, string Title, int Piece, IReadOnlyList<int> Sizes, IReadOnlyList<int> FullSizes)
{
    /// <summary>Written at once.</summary>
    public bool IsWhole => Piece == StreamShape.Whole;

    /// <summary>Written in pieces that are large enough to be copies: then the two copies are a floor.</summary>
    public bool IsCopied => Piece >= 4 << 10;

    /// <summary>Written with calls that take a byte.</summary>
    public bool IsSingleBytes => Piece == 1;

    public StreamShape ShapeOf(int size) => new(size, Piece);

    public IReadOnlyList<int> SizesOf(ExperimentContext context) => context.IsFull ? FullSizes : Sizes;

    public string TitleOf(int size) => IsWhole ? $"{ByteSize.Text(size)}, {Title}" : $"{ByteSize.Text(size)} in {Title}";
}
