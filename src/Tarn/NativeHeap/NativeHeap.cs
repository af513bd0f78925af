using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A heap of native blocks outside the garbage collector: size classes, sized free, no metadata in or beside a block.</summary>
/// <remarks>
/// <para>Purpose: memory whose lifetime the program knows better than a collector. All members are safe to call from any thread; a block
/// may be freed on another thread than it was allocated on. The caller owns a block until it frees it, once, with the size it asked for,
/// and must not touch it afterwards. <see cref="Rent(int)"/>, <see cref="CreateScope"/> and
/// <see cref="NativeHeapOptions.Checks"/> help with that.</para>
/// <para>Sizes are those of KMalloc (2019): 4, 8, 12 … 32, 40, 48, 56, 64, 80 …, four to a doubling, so at most a fifth is slack. A block
/// is aligned to the largest power of two that divides its size (<see cref="GetBlockSize"/>), up to 2 MiB: one of 16 bytes to 16, one of
/// 12 bytes to 4. <see cref="AllocateAligned"/> asks for more.</para>
/// <para>Design (after Bonwick and Adams, "Magazines and Vmem", 2001): each thread keeps, for each size class, a magazine of free blocks,
/// touched by no other thread, so a hit takes no lock and no atomic instruction: class maths, one thread-local word, a few loads and two
/// stores. Whole magazines change hands through a shared depot. Behind it are slabs, runs of equal blocks in reserved address space, whose
/// free blocks are bits outside them. A free block is listed only outside itself: freeing touches no memory of the block, nothing
/// written to a freed block can mislead the heap, and a block of 4 bytes costs 4 bytes.</para>
/// <para>Buffers above 256 KiB are mappings of their own, kept for reuse. What lies idle for <see cref="NativeHeapOptions.IdleTimeout"/>
/// goes back to the operating system.</para>
/// <para>What it refuses: joining free neighbours. A slab serves one size until all its blocks are free; then its memory can serve any.
/// </para>
/// <para>What a hit never asks: whether checks, events or clearing are on. A heap that has one of them has slot 0 of every thread's
/// directory, whose section is empty, so that calls take the slow path.</para>
/// </remarks>
public sealed unsafe partial class NativeHeap : IDisposable, IBufferSource
{
    /// <summary>Where the heap's section stands in a thread's directory, in bytes; 0 when every allocation takes the slow path.</summary>
    private nint _slot;

    /// <summary>The same for frees.</summary>
    private nint _freeSlot;

    /// <summary>The heap of the process, with default options. It cannot be disposed.</summary>
    /// <exception cref="TypeInitializationException">
    /// The process is not a 64-bit one on Linux, macOS or Windows; the inner <see cref="PlatformNotSupportedException"/> says so.
    /// </exception>
    public static NativeHeap Shared { get; } = new(new NativeHeapOptions { Name = "Shared" });

    /// <summary>The size of the block that a request of <paramref name="size"/> bytes gets.</summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <returns>
    /// Bytes: the size class, up to 1 GiB; beyond, a multiple of 2 MiB. 0 for sizes within 2 MiB of the largest number, which no heap has.
    /// </returns>
    public static nuint GetBlockSize(nuint size) => BlockSizes.RoundUp(size);

    /// <summary>Hands out a block of at least <paramref name="size"/> bytes, contents undefined.</summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <returns>
    /// A block of <see cref="GetBlockSize"/> bytes, which the caller owns until it passes it to <see cref="Free(void*, nuint)"/>.
    /// </returns>
    /// <exception cref="OutOfMemoryException">
    /// The operating system has no memory left, or nothing that large; the heap is unchanged.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size)
    {
        nint directory = HeapThreads.Local.Directory;
        return directory == 0 ? AllocateSlow(size) : AllocateFromThread(directory, BlockSizes.IndexOf(size) * (nuint)sizeof(nint), size);
    }

    /// <summary>Takes a block back; the caller must not touch it any more.</summary>
    /// <param name="block">A block of this heap; null is ignored.</param>
    /// <param name="size">
    /// The size it was asked for. A heap without checks takes any other of the same block size as well; one with checks refuses it.
    /// </param>
    /// <remarks>
    /// A heap without checks believes the address as well: a pointer to the stack, into an array, of another allocator or of another heap
    /// is kept while the thread's magazine has room, and handed out by a later <see cref="Allocate(nuint)"/>. <see cref="Free(void*)"/>
    /// looks the address up and refuses those.
    /// </remarks>
    /// <exception cref="OutOfMemoryException">
    /// The heap has checks, and there is no managed memory to look the block up; nothing has changed. A heap without checks needs none.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// <paramref name="block"/> is not one that this heap handed out with this size. A heap without checks notices only where that costs
    /// nothing: on the slow path, or when the block gets to a slab that is not its own, which
    /// <see cref="BufferDiagnostics.IncidentFound"/> tells.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free(void* block, nuint size)
    {
        // First of all: what is thread-local may be a call, over which whatever is known by then has to be saved.
        nint directory = HeapThreads.Local.Directory;
        FreeToThread(directory, block, BlockSizes.IndexOf(size) * (nuint)sizeof(nint), size);
    }

    /// <summary>
    /// Hands out a block for one <typeparamref name="T"/>, contents undefined. Its class is a constant of the compiled code.
    /// </summary>
    /// <typeparam name="T">Any type without references.</typeparam>
    /// <returns>The block, aligned as one of that size; free it with <see cref="Free{T}(void*)"/>.</returns>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left; the heap is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T* Allocate<T>()
        where T : unmanaged => (T*)Allocate((nuint)sizeof(T));

    /// <summary>Takes a block of <see cref="Allocate{T}"/> back; the caller must not touch it any more.</summary>
    /// <typeparam name="T">
    /// The type it was allocated for, always to be named: a pointer's type alone does not tell what it was allocated for, and
    /// <c>Free(pointer)</c> finds the size by the address.
    /// </typeparam>
    /// <param name="block">The block; null is ignored.</param>
    /// <exception cref="InvalidOperationException">As with <see cref="Free(void*, nuint)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Free<T>(void* block)
        where T : unmanaged => Free(block, (nuint)sizeof(T));

    /// <summary>The pool behind one size class, for code that allocates one size again and again.</summary>
    /// <param name="size">Bytes, up to 256 KiB; 0 counts as 1.</param>
    /// <returns>The pool of the class that serves <paramref name="size"/>. It is a view of this heap and needs no disposal.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="size"/> is above 256 KiB: such buffers have no pool.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBlockPool GetBlockPool(nuint size)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (size > BlockSizes.LargestSlabSize)
        {
            throw new ArgumentOutOfRangeException(
                nameof(size), size,
                $"A block pool serves sizes up to {BlockSizes.LargestSlabSize} bytes: use {nameof(Allocate)} for larger buffers.");
        }

        return new NativeBlockPool(this, (int)BlockSizes.IndexOf(Math.Max(size, 1)));
    }

    /// <summary>Takes a block from the thread's magazine, or takes the slow path. The class's place in a section is in bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void* AllocateFromThread(nint directory, nuint entry, nuint size)
    {
        nint section = *(nint*)(directory + _slot);
        nint* magazine = (nint*)Volatile.Read(ref *(nint*)(section + (nint)entry));
        ulong state = *(ulong*)magazine;
        nuint count = (ushort)state;
        if (count != 0)
        {
            *(ulong*)magazine = state + (BlockMagazine.OnePop - 1);

            // A heap that is collected gives back the memory of blocks it does not know to be out.
            GC.KeepAlive(this);
            return (void*)magazine[BlockMagazine.Items - 1 + count];
        }

        return AllocateSlow(size);
    }

    /// <summary>Puts a block on the thread's magazine; false when that has no room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryPush(nint slot, void* block, nuint entry)
    {
        nint section = *(nint*)slot;
        nint* magazine = (nint*)Volatile.Read(ref *(nint*)(section + (nint)entry));
        ulong state = *(ulong*)magazine;
        nuint count = (ushort)state;
        if (count < (nuint)magazine[BlockMagazine.Capacity])
        {
            magazine[BlockMagazine.Items + count] = (nint)block;
            *(ulong*)magazine = state + 1;
            return true;
        }

        return false;
    }

    /// <summary>Puts a block on the thread's magazine, or takes the slow path.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void FreeToThread(nint directory, void* block, nuint entry, nuint size)
    {
        // Null must be looked for here: kept in a magazine, it would be handed out.
        if (directory == 0 || block == null || !TryPush(directory + _freeSlot, block, entry))
        {
            FreeSlow(block, size);
        }
    }
}
