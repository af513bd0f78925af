using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>The beginning of a shared value's bytes; its copies follow at <see cref="Length"/>.</summary>
/// <remarks>
/// Version v is the number of values written. Value v is in copy v % <see cref="Copies"/>, complete before Version becomes v. The writer
/// next writes copy v + 1, so the value of a version stays while Version rises by at most <see cref="Copies"/> - 2. Whenever a writer ends,
/// the value of Version is complete.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = Length)]
internal struct ValueHeader
{
    internal const int Length = 512;

    /// <summary>Enough that a reader is seldom overtaken while it copies.</summary>
    internal const int Copies = 8;

    /// <summary>The largest version at which a writer may begin. No value is written as often.</summary>
    internal const long MostVersion = 1L << 62;

    /// <summary>The size of a copy is a multiple of a cache line.</summary>
    private const int CopyAlignment = 64;

    /// <summary>The writer's process, as a <see cref="RoleHolder"/>.</summary>
    [FieldOffset(0)]
    internal ulong Writer;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(8)]
    internal uint Namespace;

    /// <summary>For <see cref="RegionSharers"/>.</summary>
    [FieldOffset(12)]
    internal uint HasManyKernels;

    [FieldOffset(128)]
    internal long Version;

    /// <summary>The word that readers sleep on when they wait for another value.</summary>
    [FieldOffset(256)]
    internal Sleeper Change;

    internal static int CopySize(int valueSize) => (valueSize + CopyAlignment - 1) & -CopyAlignment;

    /// <summary>Returns the size of a region that holds a value, in bytes.</summary>
    internal static long RegionSize(int valueSize) => Length + ((long)Copies * CopySize(valueSize));
}
