namespace Tarn.Lab.Experiments.Streams;

/// <summary>The bytes that streams of one size allocate when their pool is warm.</summary>
/// <param name="Stream">The kind of stream.</param>
/// <param name="Size">Bytes that one holds.</param>
/// <param name="Streams">The number of streams counted.</param>
/// <param name="Bytes">The bytes allocated for one.</param>
/// <param name="Collections">The collections of generations 0, 1 and 2 during all of them.</param>
internal sealed record StreamAllocation(string Stream, int Size, int Streams, double Bytes, IReadOnlyList<int> Collections);
