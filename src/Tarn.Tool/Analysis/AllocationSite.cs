namespace Tarn.Tool.Analysis;

/// <summary>A call site whose rents found the pool without a buffer.</summary>
/// <param name="Site">The rent.</param>
/// <param name="Buffers">The buffers that the pool allocated for it.</param>
/// <param name="Bytes">Their size.</param>
/// <param name="TooLong">Those that were longer than the pool keeps.</param>
internal sealed record AllocationSite(CallSite Site, int Buffers, long Bytes, int TooLong);
