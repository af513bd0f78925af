namespace Tarn.Traces;

/// <summary>What became of a sampled object, as far as collections tell.</summary>
internal enum ObjectFate
{
    /// <summary>No collection has looked at it yet: it may be in use or garbage.</summary>
    Unexamined,

    /// <summary>It survived the last collection that looked at it.</summary>
    InUse,

    /// <summary>A collection found it dead.</summary>
    Dead,
}
