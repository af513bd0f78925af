namespace Tarn.Analyzers.Known;

/// <summary>Specifies the kind of buffer that a method hands out, or that a value is.</summary>
internal enum BufferKind
{
    /// <summary>An array that a pool takes back.</summary>
    Array,

    /// <summary>An object that returns its memory when it is disposed.</summary>
    Owner,

    /// <summary>An object of the analyzed source whose Dispose returns an array; the object itself may still be used.</summary>
    Pooled,

    /// <summary>A native block that a heap takes back.</summary>
    Block,

    /// <summary>A message where it lies in a ring, until the ring passes or publishes it.</summary>
    Message,
}
