using System.Runtime.CompilerServices;
using Managed = FlowtideDotNet.MiMalloc.MiMalloc;

namespace Tarn.Lab.Contenders.Native;

/// <summary>mimalloc rewritten in C#, part of flowtide: the only other allocator of native memory that is managed code.</summary>
internal readonly unsafe struct FlowtideMimalloc : IReallocator
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) => Managed.mi_malloc(size);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) => Managed.mi_free(block);

    public void* Reallocate(void* block, nuint oldSize, nuint newSize) => Managed.mi_realloc(block, newSize);
}
