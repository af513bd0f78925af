using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Tarn.Native;

/// <summary>Throws the exceptions of a native heap, out of line so that hot methods stay small.</summary>
internal static class HeapThrow
{
#pragma warning disable CA2201 // the runtime throws this type when memory runs out, so callers expect it
    /// <summary>The exception for a request that the system refuses.</summary>
    /// <remarks>
    /// Where there is no address space, there is none for compiling a method either, and a runtime that must compile one ends the process.
    /// So each heap makes one of these when it is created, and nothing here is generic over the size.
    /// </remarks>
    internal static OutOfMemoryException OutOfMemory(nuint size, string heap) =>
        new(string.Concat(
            string.Concat("The operating system refuses the heap ", heap, " a block of "),
            ((ulong)size).ToString(CultureInfo.InvariantCulture),
            " bytes: free blocks, or raise the limit of the process."));

    /// <summary>The exception for a request above the most bytes of a block.</summary>
    internal static OutOfMemoryException TooLarge(nuint size, long most, bool isChosen, string heap) =>
        new($"The heap {heap} refuses a block of {size} bytes. It hands out at most {most} bytes at once, "
            + (isChosen ? $"as its option {nameof(NativeHeapOptions.MaxBlockBytes)} says: "
                : "the memory and swap that this process may have: ")
            + $"verify the size, or create a heap with another {nameof(NativeHeapOptions.MaxBlockBytes)}.");
#pragma warning restore CA2201

    [DoesNotReturn]
    internal static void NotOut(nuint block, string heap) =>
        throw new InvalidOperationException(
            $"The heap {heap} has no block in use at 0x{block:x}: free a block once, to the heap that allocated it.");

    [DoesNotReturn]
    internal static void NotOut(nuint block, nuint size, string heap) =>
        throw new InvalidOperationException(
            $"The heap {heap} has no block of {size} bytes in use at 0x{block:x}: free a block once, to the heap that allocated it, "
            + "with the requested size.");
}
