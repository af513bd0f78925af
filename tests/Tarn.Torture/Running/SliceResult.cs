namespace Tarn.Torture.Running;

/// <summary>The result of a slice.</summary>
/// <param name="Counts">The count of each action.</param>
/// <param name="Skipped">The parts that could not run here, with the reason.</param>
/// <param name="Finding">The violation found, or null.</param>
internal sealed record SliceResult(IReadOnlyDictionary<string, long> Counts, IReadOnlyList<string> Skipped, string? Finding)
{
    internal static SliceResult Found(string finding) => new(new Dictionary<string, long>(), [], finding);
}
