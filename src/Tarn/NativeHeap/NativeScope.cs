using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Allocates by moving a pointer through blocks of a heap, and frees everything together.</summary>
/// <remarks>
/// <para>An allocation that fits the current block is a compare and an add. Blocks begin at 1 KiB and double up to 256 KiB. What is larger
/// than a quarter of the next block gets a block of its own, so that little of the current one is left unused.</para>
/// <para>Every address is a multiple of 16; <see cref="Allocate{T}"/> aligns to what its type needs where that is more. Contents are
/// undefined. Nothing can be freed by itself: it goes with <see cref="Reset"/> or <see cref="Dispose"/>, and must not be used after.</para>
/// <para>Not safe for use by several threads at once: a lock would cost more than the rest. One thread after the other is fine. The scope
/// has no finalizer: a forgotten one keeps its blocks until its heap is disposed, and the heap's leak report names them. Dispose the
/// scope before its heap; when the heap went first, so did all that the scope gave out.</para>
/// <para>On a heap with checks each allocation is a block of its own, so that the checks see each; that is slower.</para>
/// </remarks>
public sealed unsafe partial class NativeScope : IDisposable
{
    /// <summary>What every address is a multiple of, in bytes.</summary>
    internal const nuint Alignment = 16;

    // Invariant: _start <= _next <= _end; all three are multiples of Alignment inside the current block, or null without one.
    private byte* _start;
    private byte* _next;
    private byte* _end;

    /// <summary>
    /// Bytes handed out since the scope was made or reset, each allocation rounded up to a multiple of 16. What the scope takes from its
    /// heap for that is more: see the heap's statistics.
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

    /// <summary>Gives out <paramref name="size"/> bytes, contents undefined.</summary>
    /// <param name="size">Bytes; 0 counts as 1.</param>
    /// <returns>The address, a multiple of 16. The memory is the scope's, valid until <see cref="Reset"/> or
    /// <see cref="Dispose"/>.</returns>
    /// <exception cref="OutOfMemoryException">The heap has no such block. The scope is as before and can be used on.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void* Allocate(nuint size)
    {
        // What is left is a multiple of Alignment, so a size that fits it does so rounded up as well: nothing can wrap. A size of 0
        // becomes the largest and fits nowhere, which leaves it to the slow path.
        byte* address = _next;
        if (unchecked(size - 1) < (nuint)(_end - address))
        {
            _next = address + RoundUp(size);
            return address;
        }

        return AllocateSlow(size, Alignment);
    }

    /// <summary>Gives out <paramref name="length"/> elements, contents undefined.</summary>
    /// <typeparam name="T">
    /// The elements. The first is aligned to what the runtime aligns T to in a structure, and to 16 bytes at least; for a
    /// <see cref="System.Runtime.Intrinsics.Vector512{T}"/> that is 64.
    /// </typeparam>
    /// <param name="length">The length in elements; 0 gives an empty span.</param>
    /// <returns>The elements, the scope's: valid until <see cref="Reset"/> or <see cref="Dispose"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">
    /// The heap has no such block; any <paramref name="length"/> whose size in bytes exceeds all memory throws this.
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

        // Two factors below 2^31: heaps exist in 64-bit processes only, where this cannot overflow.
        nuint size = (nuint)length * (nuint)sizeof(T);
        void* address = AlignmentOf<T>() <= Alignment ? Allocate(size) : AllocateOveraligned(size, AlignmentOf<T>());
        return new Span<T>(address, length);
    }

    /// <summary>Gives out <paramref name="length"/> elements, every byte 0.</summary>
    /// <typeparam name="T">The elements, aligned as by <see cref="Allocate{T}"/>.</typeparam>
    /// <param name="length">The length in elements; 0 gives an empty span.</param>
    /// <returns>The elements, the scope's: valid until <see cref="Reset"/> or <see cref="Dispose"/>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">The heap has no such block.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public Span<T> AllocateZeroed<T>(int length)
        where T : unmanaged
    {
        Span<T> elements = Allocate<T>(length);
        elements.Clear();
        return elements;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint RoundUp(nuint size) => unchecked(size + (Alignment - 1)) & ~(Alignment - 1);

    /// <summary>
    /// A constant for the compiler. A byte in front makes a T larger by its alignment, and by what its size lacks of a multiple of that
    /// where a layout says an odd size: by less than twice the alignment, which is a power of two.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint AlignmentOf<T>()
        where T : unmanaged => (nuint)1 << BitOperations.Log2((uint)(sizeof(AfterOneByte<T>) - sizeof(T)));

#pragma warning disable CS0169, CA1823, IDE0044, IDE0051 // only its size is asked for
    private struct AfterOneByte<T>
        where T : unmanaged
    {
        private byte _first;
        private T _second;
    }
#pragma warning restore CS0169, CA1823, IDE0044, IDE0051
}
