using Tarn.Lab.Contenders;

namespace Tarn.Lab.Experiments.Scale;

/// <summary>The report's names of what is counted.</summary>
internal static class ScaleNames
{
    public const string Arrays = PoolNames.TarnInstance;
    public const string Blocks = "NativeHeap";

    /// <summary>Not the pool itself: see <see cref="Contenders.Counted.SharedModel"/>.</summary>
    public const string Shared = PoolNames.BclShared + ", a model";

    /// <summary>Computed from the buffers handed over.</summary>
    public const string Mimalloc = NativeNames.Mimalloc + ", a model";
}
