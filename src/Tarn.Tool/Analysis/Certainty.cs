namespace Tarn.Tool.Analysis;

/// <summary>How far a finding can be trusted.</summary>
internal enum Certainty
{
    /// <summary>Another explanation is possible; the finding says which.</summary>
    Possible,

    /// <summary>The recording shows it.</summary>
    Likely,
}
