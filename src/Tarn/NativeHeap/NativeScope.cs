using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn.Native;

/// <summary>Allocates by advancing a pointer through blocks of a heap, and frees everything together.</summary>
/// <remarks>
/// <para>An allocation that fits the current block is a compare and an add. Blocks begin at 1 KiB and double up to 256 KiB. A request
/// larger than a quarter of the next block gets a block of its own, so that little of the current block is left unused.</para>
/// <para>Every address is a multiple of 16; <see cref="Allocate{T}"/> aligns to what its type needs where that is more. Contents are
/// undefined. Allocations cannot be freed singly: <see cref="Reset"/> and <see cref="Dispose"/> free all of them, and none may be used
/// afterwards. A <see cref="NativeFrame"/> frees what was allocated since it was opened when it ends, and the compiler keeps its spans
/// inside the method.</para>
/// <para>A scope serves one thread at a time, because a lock would cost more than the allocation, except that any thread may call
/// <see cref="Dispose"/> at any time. A call that this overtakes completes or throws <see cref="ObjectDisposedException"/>, and all blocks
/// are freed once; what the call returned is gone. The scope has no finalizer: a forgotten scope keeps its blocks until its heap is
/// disposed, and the heap's leak report names them. Dispose the scope before its heap; disposing the heap frees all that the scope
/// allocated.</para>
/// <para>On a heap with checks each allocation is a block of its own, so that the checks cover each. This is slower.</para>
/// </remarks>
public sealed unsafe partial class NativeScope : IDisposable
{
    /// <summary>The alignment of every address, in bytes.</summary>
    internal const nuint Alignment = 16;

    // Invariant: _start <= _next <= _end; all three are multiples of Alignment inside the current block, or null without one. A disposal
    // sets _end to null and leaves the others, because a hit on another thread may be about to store to _next.
    private byte* _start;
    private byte* _next;
    private byte* _end;

    /// <summary>
    /// The bytes allocated since the scope was created or reset, each allocation rounded up to a multiple of 16. The scope takes more than
    /// this from its heap: see the heap's statistics.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public long AllocatedBytes
    {
        get
        {
            ThrowIfDisposed();
            return _allocatedBefore + (_next - _start);
        }
    }

    /// <summary>Allocates <paramref name="size"/> bytes, contents undefined.</summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <returns>
    /// The address, a multiple of 16. The scope owns the memory, which is valid until <see cref="Reset"/> or <see cref="Dispose"/>.
    /// </returns>
    /// <exception cref="OutOfMemoryException">The heap cannot allocate the block. The scope is unchanged and still usable.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size)
    {
        // The rest of the block is a multiple of Alignment, so a size that fits also fits when rounded up, and nothing can wrap. A size of
        // 0 wraps to the largest number, fits nowhere, and takes the slow path.
        byte* address = _next;
        byte* end = _end;
        if (unchecked(size - 1) < (nuint)(end - address) && end != null)
        {
            _next = address + RoundUp(size);
            return address;
        }

        return AllocateSlow(size, Alignment);
    }

    /// <summary>Allocates <paramref name="length"/> elements, contents undefined.</summary>
    /// <typeparam name="T">
    /// The element type. The first element is aligned as the runtime aligns T in a structure, and at least to 16 bytes; for a
    /// <see cref="System.Runtime.Intrinsics.Vector512{T}"/> that is 64.
    /// </typeparam>
    /// <param name="length">The number of elements; 0 returns an empty span.</param>
    /// <returns>The elements. The scope owns them; they are valid until <see cref="Reset"/> or <see cref="Dispose"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">
    /// The heap cannot allocate the block. A <paramref name="length"/> whose size in bytes exceeds all memory also throws this exception.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<T> Allocate<T>(int length)
        where T : unmanaged
    {
        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }

        // Both factors are below 2^31, and heaps exist only in 64-bit processes, so this cannot overflow.
        nuint size = (nuint)length * (nuint)sizeof(T);
        void* address = AlignmentOf<T>() <= Alignment ? Allocate(size) : AllocateOveraligned(size, AlignmentOf<T>());
        return new Span<T>(address, length);
    }

    /// <summary>Allocates <paramref name="length"/> elements, every byte 0.</summary>
    /// <typeparam name="T">The element type, aligned as by <see cref="Allocate{T}"/>.</typeparam>
    /// <param name="length">The number of elements; 0 returns an empty span.</param>
    /// <returns>The elements. The scope owns them; they are valid until <see cref="Reset"/> or <see cref="Dispose"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">The heap cannot allocate the block.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public Span<T> AllocateZeroed<T>(int length)
        where T : unmanaged
    {
        using Inside inside = Enter();
        Span<T> elements = Allocate<T>(length);
        elements.Clear();
        return elements;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint RoundUp(nuint size) => unchecked(size + (Alignment - 1)) & ~(Alignment - 1);

    /// <summary>
    /// The alignment of T, a constant for the compiler. A byte in front enlarges a T by its alignment, plus the padding that an explicit
    /// layout with an odd size lacks: by less than twice the alignment, which is a power of two.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint AlignmentOf<T>()
        where T : unmanaged => (nuint)1 << BitOperations.Log2((uint)(sizeof(AfterOneByte<T>) - sizeof(T)));

#pragma warning disable CS0169, CA1823, IDE0044, IDE0051 // only its size matters
    private struct AfterOneByte<T>
        where T : unmanaged
    {
        private byte _first;
        private T _second;
    }
#pragma warning restore CS0169, CA1823, IDE0044, IDE0051
}
