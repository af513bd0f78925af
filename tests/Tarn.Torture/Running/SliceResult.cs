namespace Tarn.Torture.Running;

/// <summary>What came of a slice.</summary>
/// <param name="Counts">What was done, and how often.</param>
/// <param name="Skipped">What could not be done here, with the reason.</param>
/// <param name="Finding">What was met that must not be; null when nothing was.</param>
internal sealed record SliceResult(IReadOnlyDictionary<string, long> Counts, IReadOnlyList<string> Skipped, string? Finding)
{
    internal static SliceResult Found(string finding) => new(new Dictionary<string, long>(), [], finding);
}
