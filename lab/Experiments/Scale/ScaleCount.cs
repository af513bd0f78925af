extern alias Counted;

using Count = Counted::Tarn.Lab.Counted.Count;

namespace Tarn.Lab.Experiments.Scale;

/// <summary>What a contender did under a load.</summary>
/// <param name="Load">The load's name.</param>
/// <param name="Contender">The contender's name.</param>
/// <param name="Threads">The threads.</param>
/// <param name="Calls">Rents and returns.</param>
/// <param name="Locks">Locks taken.</param>
/// <param name="Places">All counts by file; empty for a contender that counts its locks only.</param>
internal sealed record ScaleCount(
    string Load, string Contender, int Threads, long Calls, long Locks, IReadOnlyDictionary<string, Count> Places)
{
    private const double Million = 1e6;

    /// <summary>Returns a number for each million calls.</summary>
    public double PerMillion(double number) => Million * number / Calls;

    /// <summary>All counts, for each million calls; null if the contender counts its locks only.</summary>
    public double? PerMillion(Func<Count, long> select) => Places.Count == 0 ? null : PerMillion(Places.Values.Sum(select));

    /// <summary>The lock that was taken most, for each million calls.</summary>
    public double? BusiestLock => Places.Count == 0 ? null : PerMillion(Places.Values.Max(count => count.BusiestLock));
}
