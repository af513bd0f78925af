using System.Numerics;

namespace Tarn.Native;

/// <summary>The options of a <see cref="NativeBuffer{T}"/>.</summary>
public sealed class NativeBufferOptions
{
    /// <summary>What Arrow asks for, and the widest vectors.</summary>
    internal const int DefaultAlignment = 64;

    /// <summary>The alignment of the first element, in bytes: a power of two up to 2 MiB. 64 by default.</summary>
    public int Alignment { get; init; } = DefaultAlignment;

    /// <summary>
    /// Whether every element is zero, also those that <see cref="NativeBuffer{T}.TryResize"/> adds. Memory fresh from the operating system
    /// is not cleared again. False by default: contents are undefined.
    /// </summary>
    public bool Zeroed { get; init; }

    /// <summary>
    /// Whether the buffer begins at a huge page of 2 MiB and has whole ones: the alignment is then 2 MiB, and the block as many MiB as
    /// needed. A processor finds such memory with far fewer entries of its address cache, which pays for random access to many MiB. False
    /// by default: a block of 2 MiB and more asks for huge pages too, but its last part may lie in small ones.
    /// </summary>
    /// <remarks>
    /// The system may ignore the request. Linux grants it where /sys/kernel/mm/transparent_hugepage/enabled is "madvise" or "always".
    /// Windows and macOS have no such request. A heap with guard pages places blocks between them, and gets none.
    /// </remarks>
    public bool HugePages { get; init; }

    /// <summary>The alignment to allocate with. A block whose size is a multiple of a huge page asks for them.</summary>
    internal nuint BlockAlignment => HugePages ? BlockSizes.LargestAlignment : (nuint)Alignment;

    /// <exception cref="ArgumentOutOfRangeException">No block is aligned like this; the message names the value.</exception>
    internal static void VerifyAlignment(int alignment, string argumentName) =>
        Throw.UnlessAllowed(
            BitOperations.IsPow2(alignment) && alignment <= (int)BlockSizes.LargestAlignment,
            argumentName, "The alignment", alignment, $"a power of two up to {BlockSizes.LargestAlignment}");
}
