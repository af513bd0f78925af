namespace Tarn.Lab.Experiments.Streams;

/// <summary>What streams of one size allocate when their pool is warm.</summary>
/// <param name="Stream">Whose they are.</param>
/// <param name="Size">Bytes that one holds.</param>
/// <param name="Streams">How many were counted.</param>
/// <param name="Bytes">Allocated for one.</param>
/// <param name="Collections">Of generations 0, 1 and 2, during all of them.</param>
internal sealed record StreamAllocation(string Stream, int Size, int Streams, double Bytes, IReadOnlyList<int> Collections);
