namespace Tarn.Analyzers.Known;

/// <summary>What kind of buffer a method hands out, or a value is.</summary>
internal enum BufferKind
{
    /// <summary>An array that a pool takes back.</summary>
    Array,

    /// <summary>An object that gives its memory back when it is disposed.</summary>
    Owner,

    /// <summary>An object of the analyzed source whose Dispose returns an array: only the memory it shows ends then.</summary>
    Pooled,

    /// <summary>A native block that a heap takes back.</summary>
    Block,
}
