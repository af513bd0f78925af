using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Contenders.Native;

/// <summary>The BCL's <c>NativeMemory</c>, which C# programs call today.</summary>
internal readonly unsafe struct NativeMemoryAllocator : IReallocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => NativeMemory.Alloc(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => NativeMemory.Free(block);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => NativeMemory.Realloc(block, newSize);
}
