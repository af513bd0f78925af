using System.Runtime.CompilerServices;

namespace Tarn.Native;

/// <summary>
/// A heap of native blocks outside the garbage-collected heap, with size classes, sized free, and no metadata in or beside a block.
/// </summary>
/// <remarks>
/// <para>Use it for memory whose lifetime the program knows better than a collector does. All members are safe to call from any thread; a
/// block may be freed on another thread than the one that allocated it. The caller owns a block until it frees it, once, with the requested
/// size, and must not use it afterwards. <see cref="AllocateBuffer"/>, <see cref="CreateScope"/> and
/// <see cref="NativeHeapOptions.Checks"/> help with that.</para>
/// <para>Sizes are those of KMalloc (2019): 4, 8, 12 … 32, 40, 48, 56, 64, 80 …, four to a doubling, so at most a fifth is slack. A block
/// is aligned to the largest power of two that divides its size (<see cref="GetBlockSize"/>), up to 2 MiB: one of 16 bytes to 16, one of
/// 12 bytes to 4. Use <see cref="AllocateAligned"/> for a larger alignment.</para>
/// <para>The design follows Bonwick and Adams, "Magazines and Vmem", 2001. For each size class, each thread keeps a magazine of free blocks
/// that no other thread uses. So a hit takes no lock and no atomic instruction: it computes the class, reads one thread-local word, and
/// does a few loads and two stores. Blocks change hands through a shared depot, many at a time. Behind the depot are slabs: runs of
/// equal blocks in reserved address space, whose free blocks are marked by bits outside them. Because free blocks are listed only outside
/// themselves, freeing touches no memory of the block, nothing written to a freed block can mislead the heap, and a block of 4 bytes costs
/// 4 bytes.</para>
/// <para>Buffers above 256 KiB are mappings of their own, kept for reuse. Memory that is idle for
/// <see cref="NativeHeapOptions.IdleTimeout"/> goes back to the operating system.</para>
/// <para>The heap does not join free neighbours. A slab serves one size until all its blocks are free; then its memory can serve any size.
/// </para>
/// <para>The calls are inlined, and kept small: the runtime moves the thread-local access of a short loop in front of the loop, so that the
/// loop calls nothing. docs/design/native-heap.md says how short.</para>
/// <para>A hit never tests whether checks, events or clearing are on. A heap with one of them uses slot 0 of every thread's directory,
/// whose section is empty, so its calls take the slow path.</para>
/// </remarks>
public sealed unsafe partial class NativeHeap : IDisposable, IBufferSource
{
    /// <summary>
    /// The address of the heap's slot in <see cref="HeapThreads.None"/>, or of slot 0 when every allocation takes the slow path.
    /// </summary>
    private nint _slot;

    /// <summary>The same for frees.</summary>
    private nint _freeSlot;

    /// <summary>The shared heap of the process, with default options. It cannot be disposed.</summary>
    /// <exception cref="TypeInitializationException">
    /// The process is not a 64-bit process on Linux, macOS or Windows. The inner exception is a
    /// <see cref="PlatformNotSupportedException"/>.
    /// </exception>
    public static NativeHeap Shared { get; } = new(new NativeHeapOptions { Name = "Shared" });

    /// <summary>Returns the size of the block that serves a request of <paramref name="size"/> bytes.</summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <returns>
    /// The block size in bytes: a size class up to 1 GiB, and a multiple of 2 MiB above. 0 for sizes within 2 MiB of the largest
    /// <see cref="nuint"/>, which no heap can serve.
    /// </returns>
    public static nuint GetBlockSize(nuint size) => BlockSizes.RoundUp(size);

    /// <summary>Allocates a block of at least <paramref name="size"/> bytes, contents undefined.</summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <returns>
    /// A block of <see cref="GetBlockSize"/> bytes, which the caller owns until it passes it to <see cref="Free(void*, nuint)"/>.
    /// </returns>
    /// <exception cref="OutOfMemoryException">
    /// The operating system has no memory left, or no block that large; the heap is unchanged.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size) =>
        AllocateFrom((nint*)Volatile.Read(ref SectionOf(HeapThreads.Local.Directory + _slot)[BlockSizes.EntryOf(size)]), size);

    /// <summary>Frees a block. The caller must not use it afterwards.</summary>
    /// <param name="block">A block of this heap; null is ignored.</param>
    /// <param name="size">
    /// The size it was requested with, in bytes. A heap without checks also accepts any other size with the same block size; a heap with
    /// checks refuses it.
    /// </param>
    /// <remarks>
    /// A heap without checks also trusts the address. While the thread's magazine has room, it keeps any pointer, whether to the stack,
    /// into an array, or from another allocator or heap, and a later <see cref="Allocate(nuint)"/> hands it out. <see cref="Free(void*)"/>
    /// looks the address up and refuses such pointers.
    /// </remarks>
    /// <exception cref="OutOfMemoryException">
    /// The heap has checks, and no managed memory is left for looking up the block. Nothing has changed. A heap without checks needs none.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// <paramref name="block"/> is not a block that this heap allocated with this size. A heap without checks notices this only where it
    /// costs nothing: on the slow path it throws, and when the block reaches a slab that is not its own, it raises
    /// <see cref="BufferDiagnostics.IncidentFound"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size) =>
        FreeTo((nint*)Volatile.Read(ref SectionOf(HeapThreads.Local.Directory + _freeSlot)[BlockSizes.EntryOf(size)]), block, size);

    /// <summary>
    /// Allocates a block for one <typeparamref name="T"/>, contents undefined. Its size class is a constant in the compiled code.
    /// </summary>
    /// <typeparam name="T">A type that contains no references.</typeparam>
    /// <returns>The block, aligned as any block of that size. Free it with <see cref="Free{T}(void*)"/>.</returns>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left; the heap is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T* Allocate<T>()
        where T : unmanaged => (T*)Allocate((nuint)sizeof(T));

    /// <summary>Frees a block from <see cref="Allocate{T}"/>. The caller must not use it afterwards.</summary>
    /// <typeparam name="T">
    /// The type it was allocated for. Always name it: a pointer's type need not be the type it was allocated for, and <c>Free(pointer)</c>
    /// is the overload that finds the size by the address.
    /// </typeparam>
    /// <param name="block">The block; null is ignored.</param>
    /// <exception cref="InvalidOperationException">As for <see cref="Free(void*, nuint)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free<T>(void* block)
        where T : unmanaged => Free(block, (nuint)sizeof(T));

    /// <summary>Returns the entries of the section at a slot of this thread's directory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint* SectionOf(nint slot) => *(nint**)slot;

    /// <summary>Takes a block from a magazine of this thread, or takes the slow path.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void* AllocateFrom(nint* magazine, nuint size)
    {
        ulong state = *(ulong*)magazine;
        nuint top = (nuint)(state & BlockMagazine.Top);
        if (top == BlockMagazine.Bottom)
        {
            return AllocateSlow(size);
        }

        *(ulong*)magazine = state + (BlockMagazine.OnePop - BlockMagazine.OneBlock);

        // A heap that is collected returns the memory of all blocks that it does not know to be in use.
        GC.KeepAlive(this);
        return *(void**)((byte*)magazine + top);
    }

    /// <summary>Puts a block on a magazine of this thread, or takes the slow path.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void FreeTo(nint* magazine, void* block, nuint size)
    {
        ulong state = *(ulong*)magazine;
        nuint top = (nuint)(state & BlockMagazine.Top);

        // Null must be tested here: a magazine would keep it and hand it out.
        if (block == null || top >= (nuint)magazine[BlockMagazine.Capacity])
        {
            FreeSlow(block, size);
            return;
        }

        *(void**)((byte*)(magazine + 1) + top) = block;
        *(ulong*)magazine = state + BlockMagazine.OneBlock;
    }
}
