namespace Tarn.SharedMemory;

/// <summary>What kind of number a <see cref="SharedValue{T}"/> is: types of one size whose bytes mean different things.</summary>
/// <remarks>
/// Structs have none. Programs give the same layout different names, so a name would refuse what is right, and the fields of a type cannot
/// be read in programs that were trimmed.
/// </remarks>
internal enum NumberKind : uint
{
    /// <summary>It is no number, or nobody said which: any type of that size will do.</summary>
    Unknown = 0,

    /// <summary>A <see cref="bool"/>.</summary>
    Boolean = 1,

    /// <summary>A <see cref="char"/>.</summary>
    Character = 2,

    /// <summary>A signed integer.</summary>
    Signed = 3,

    /// <summary>An unsigned integer.</summary>
    Unsigned = 4,

    /// <summary>A binary floating-point number.</summary>
    Float = 5,

    /// <summary>A <see cref="decimal"/>.</summary>
    Decimal = 6,
}
