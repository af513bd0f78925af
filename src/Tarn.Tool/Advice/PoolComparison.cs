using Tarn.Tool.Analysis;

namespace Tarn.Tool.Advice;

/// <summary>What other pools would have done with the rents and returns of one recorded pool.</summary>
/// <param name="Pool">The recorded pool.</param>
/// <param name="Recorded">What it did. How many buffers it kept is unknown.</param>
/// <param name="Others">What the others would have done, each starting empty.</param>
internal sealed record PoolComparison(PoolUse Pool, ReplayResult Recorded, IReadOnlyList<ReplayResult> Others);
