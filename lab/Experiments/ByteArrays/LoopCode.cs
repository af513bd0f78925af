namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>How a loop was compiled.</summary>
internal enum LoopCode
{
    /// <summary>Optimized, as the lab is.</summary>
    Release,

    /// <summary>Without optimization. The library methods it calls are still optimized.</summary>
    Debug,
}
