namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>How a loop was compiled.</summary>
internal enum LoopCode
{
    /// <summary>As the lab is.</summary>
    Release,

    /// <summary>Without optimization; what it calls in libraries is as fast as ever.</summary>
    Debug,
}
