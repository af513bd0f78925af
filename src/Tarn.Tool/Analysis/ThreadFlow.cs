namespace Tarn.Tool.Analysis;

/// <summary>Buffers that one thread rented and one returned.</summary>
internal sealed record ThreadFlow(int RentingThread, int ReturningThread, long Buffers);
