using System.Buffers;

namespace Tarn;

/// <summary>Owns a block of a <see cref="NativeHeap"/> and exposes it as elements of a type, aligned as its user needs.</summary>
/// <remarks>
/// <para>Dispose the buffer before its heap; a second call is harmless. Afterwards every member throws
/// <see cref="ObjectDisposedException"/>, and so does every <see cref="Memory{T}"/> taken from the buffer. The same holds after the heap
/// was disposed. Spans and <see cref="Pointer"/> cannot be guarded in this way: do not use them after disposal or <see cref="TryResize"/>.
/// They do not keep the buffer alive; a memory and a pin do.</para>
/// <para>A pin keeps the block allocated and in its place. A buffer that is disposed while pinned refuses new calls, and the last unpin
/// frees the block.</para>
/// <para>All members are safe to call from any thread, except that no other thread may use spans and pointers while the buffer is resized.
/// A forgotten buffer is freed some time after the garbage collector finds it, and is reported if the heap's checks include leaks.</para>
/// </remarks>
/// <typeparam name="T">A type that contains no references.</typeparam>
public sealed unsafe class NativeBuffer<T> : MemoryManager<T>, IDisposable
    where T : unmanaged
{
    /// <summary>The owner of the bytes, whose lifetime is this one's. Only this object knows it.</summary>
    private readonly NativeBuffer _bytes;
    private readonly bool _isZeroed;

    /// <param name="heap">The heap that allocates the block.</param>
    /// <param name="length">The number of elements, not negative.</param>
    /// <param name="alignment">The alignment of the block.</param>
    /// <param name="isZeroed">Whether to clear the block, and what a resize adds.</param>
    internal NativeBuffer(NativeHeap heap, int length, nuint alignment, bool isZeroed)
    {
        _bytes = new NativeBuffer(heap, SizeOf(length), alignment, isZeroed);
        _isZeroed = isZeroed;
    }

    /// <summary>The number of elements.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public int Length => (int)(_bytes.LongLength / sizeof(T));

    /// <summary>
    /// The address of the first element, aligned as requested. It is never null, even in a buffer of length 0. Pin the buffer if it may be
    /// disposed, forgotten or resized while the address is in use.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
#pragma warning disable CA1720 // a pointer is what it is
    public T* Pointer => (T*)_bytes.Pointer;
#pragma warning restore CA1720

    /// <summary>The whole buffer. After a resize, a memory taken before shows the same elements if the buffer still has them.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Memory<T> Memory => CreateMemory(Length);

    /// <summary>The whole buffer, as <see cref="GetSpan()"/> returns it.</summary>
    /// <inheritdoc cref="GetSpan()" path="/exception"/>
    public Span<T> Span => GetSpan();

    /// <summary>The whole buffer.</summary>
    /// <returns>A span that does not keep the buffer alive.</returns>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Span<T> GetSpan() => _bytes.GetElements<T>();

    /// <summary>
    /// Gives the buffer another length, in place where the heap can do that. The alignment stays, and so do the elements up to the smaller
    /// of the two lengths. Added elements are undefined, or zero in a buffer that was rented <see cref="NativeBufferOptions.Zeroed"/>.
    /// </summary>
    /// <param name="length">The new number of elements, 0 or more.</param>
    /// <returns>
    /// False, with nothing changed, when the buffer is pinned or resized by another call, the operating system has no memory left, or the
    /// heap's budget refuses. Otherwise spans and pointers taken before are invalid.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public bool TryResize(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return _bytes.TryResize(SizeOf(length), _isZeroed);
    }

    /// <summary>
    /// Pins the buffer: its block stays allocated and in its place until the handle is disposed, even if the buffer is disposed first.
    /// </summary>
    /// <param name="elementIndex">The index of the element to point at, from 0 to the buffer's length.</param>
    /// <returns>A handle. Dispose it once. If it is forgotten, the block is never freed, because native code may still use it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementIndex"/> is outside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        // Pinned, the length stays as it is.
        T* first = (T*)_bytes.PinAt(0);
        long length = _bytes.PinnedLength / sizeof(T);
        if ((ulong)elementIndex > (ulong)length)
        {
            _bytes.Unpin();
            Throw.Outside(nameof(elementIndex), elementIndex, length);
        }

        return new MemoryHandle(first + elementIndex, pinnable: this);
    }

    /// <summary>Removes one pin. <see cref="MemoryHandle.Dispose"/> calls this method.</summary>
    /// <exception cref="InvalidOperationException">The buffer is not pinned.</exception>
    public override void Unpin() => _bytes.Unpin();

    /// <summary>Frees the block. If the buffer is pinned, the last unpin frees it. A second call does nothing.</summary>
#pragma warning disable CA1816 // the owner of the bytes has the finalizer
    public void Dispose() => _bytes.Dispose();
#pragma warning restore CA1816

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => _bytes.Dispose();

    /// <summary>The bytes of some elements. Both factors are below 2^31, so this cannot overflow.</summary>
    private static long SizeOf(int length) => (long)length * sizeof(T);
}
