using System;

namespace Tarn.Analyzers.Calls;

/// <summary>Specifies what a method of the source does with the buffer that a parameter receives, on any of its paths.</summary>
[Flags]
internal enum ParameterEffect
{
    /// <summary>It works with the buffer, and is done with it when the call, or its task, has ended.</summary>
    None = 0,

    /// <summary>It may keep or return the buffer: that depends on conditions, or on code that is not seen.</summary>
    MayKeep = 1,

    /// <summary>It keeps the buffer: in a field, a collection, an object or its result.</summary>
    Keeps = 2,

    /// <summary>It returns or disposes the buffer on every normal path.</summary>
    Returns = 4,

    /// <summary>It reads the buffer to its end, however long the buffer is.</summary>
    ReadsAll = 8,

    /// <summary>It notes the length of the buffer, however long the buffer is, as the number of the elements that it keeps.</summary>
    Counts = 16,

    /// <summary>Its result is the buffer, or memory of the buffer, whenever it returns.</summary>
    HandsBack = 32,

    /// <summary>What it does with the contents, which does not matter to whoever owns the buffer.</summary>
    OnContents = ReadsAll | Counts,
}
