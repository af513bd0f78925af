using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Native;

/// <summary>
/// Owns a block of a <see cref="NativeHeap"/> and exposes it as elements of a type, aligned as its user needs: as memory, spans, a pointer,
/// a sequence or a stream.
/// </summary>
/// <remarks>
/// <para>Dispose the buffer once, before its heap; a second call is harmless. Afterwards every member throws
/// <see cref="ObjectDisposedException"/>, and so does every <see cref="Memory{T}"/>, sequence and stream taken from the buffer. The same
/// holds after the heap was disposed. Spans and <see cref="Pointer"/> cannot be guarded in this way: do not use them after disposal or
/// <see cref="TryResize"/>. They do not keep the buffer alive; a memory, a sequence, a stream and a pin do.</para>
/// <para>A pin keeps the block allocated and in its place. A buffer that is disposed while pinned refuses new calls, and the last unpin
/// frees the block.</para>
/// <para>All members are safe to call from any thread, also beside <see cref="Dispose()"/>: a call that this overtakes completes or throws
/// <see cref="ObjectDisposedException"/>. Threads that write to the same elements must synchronize, and no other thread may use spans and
/// pointers while the buffer is resized. A forgotten buffer is freed some time after the garbage collector finds it, and is reported if the
/// heap's checks include leaks.</para>
/// </remarks>
/// <typeparam name="T">A type that contains no references.</typeparam>
public sealed unsafe partial class NativeBuffer<T> : MemoryManager<T>, IDisposable, INativeBytes
    where T : unmanaged
{
    /// <summary>The longest segment of a sequence, in elements.</summary>
    private const int LargestSegment = 1 << 30;

    private readonly NativeHeap _heap;

    /// <summary>The alignment that the block was allocated with.</summary>
    private readonly nuint _alignment;

    /// <summary>Whether to clear what a resize adds.</summary>
    private readonly bool _isZeroed;

    /// <summary>Null until the constructor has its block.</summary>
    private T* _pointer;

    /// <summary>The number of elements.</summary>
    private long _length;

    /// <summary>The stack that allocated the buffer, if a leak of it is to be reported.</summary>
    private readonly StackTrace? _allocatedAt;

    /// <param name="heap">The heap that allocates the block.</param>
    /// <param name="length">The number of elements, not negative.</param>
    /// <param name="alignment">The alignment of the block.</param>
    /// <param name="isZeroed">Whether to clear the block, and what a resize adds.</param>
    internal NativeBuffer(NativeHeap heap, long length, nuint alignment, bool isZeroed)
    {
        // If the constructor throws, the object has no block, so the finalizer has nothing to free.
        _heap = heap;
        _length = length;
        _alignment = alignment;
        _isZeroed = isZeroed;
        _allocatedAt = heap.CaptureAllocation();
        nuint size = BlockSizeFor(length);
        _pointer = (T*)(isZeroed ? heap.AllocateAlignedZeroed(size, alignment) : heap.AllocateAligned(size, alignment));
    }

    /// <summary>Makes a buffer that owns an existing block.</summary>
    /// <param name="heap">The heap that allocated the block.</param>
    /// <param name="block">A block in use. The buffer takes ownership of it.</param>
    /// <param name="length">The number of elements that it was allocated for.</param>
    internal NativeBuffer(NativeHeap heap, T* block, long length)
    {
        _heap = heap;
        _length = length;
        _alignment = NativeHeap.NaturalAlignment(BlockSizeFor(length));
        _allocatedAt = heap.CaptureAllocation();
        _pointer = block;
    }

    /// <summary>The number of elements. It is a <see cref="long"/>, as that of a sequence and a stream.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public long Length
    {
        get
        {
            ThrowIfDisposed();
            return _length;
        }
    }

    /// <summary>
    /// The address of the first element, aligned as requested. It is never null, even in a buffer of length 0. Pin the buffer if it may be
    /// disposed, forgotten or resized while the address is in use.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
#pragma warning disable CA1720 // a pointer is what it is
    public T* Pointer
#pragma warning restore CA1720
    {
        get
        {
            ThrowIfDisposed();
            return _pointer;
        }
    }

    /// <summary>
    /// The whole buffer. After a resize, a memory taken before shows the same elements if the buffer still has them, and throws if it has
    /// not, or has more than <see cref="int.MaxValue"/> elements now.
    /// </summary>
    /// <exception cref="OverflowException">
    /// The buffer has more than <see cref="int.MaxValue"/> elements, too many for a single memory; see <see cref="GetMemory(long, int)"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Memory<T> Memory => CreateMemory(SingleLength());

    /// <summary>The whole buffer, as <see cref="GetSpan()"/> returns it.</summary>
    /// <inheritdoc cref="GetSpan()" path="/exception"/>
    public Span<T> Span => GetSpan();

    /// <inheritdoc/>
    long INativeBytes.ByteLength => Length * sizeof(T);

    /// <inheritdoc/>
    long INativeBytes.PinnedByteLength => _length * sizeof(T);

    /// <summary>The whole buffer.</summary>
    /// <returns>A span that does not keep the buffer alive.</returns>
    /// <exception cref="OverflowException">
    /// The buffer has more than <see cref="int.MaxValue"/> elements, too many for a single span; see <see cref="GetSpan(long, int)"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Span<T> GetSpan()
    {
        int length = SingleLength();
        return new Span<T>(_pointer, length);
    }

    /// <summary>Returns a part of the buffer as a span.</summary>
    /// <param name="offset">The index of the part's first element.</param>
    /// <param name="length">The part's length, in elements.</param>
    /// <returns>A span that does not keep the buffer alive.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is not inside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Span<T> GetSpan(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, _length);
        return new Span<T>(_pointer + offset, length);
    }

    /// <summary>Returns a part of the buffer as a memory.</summary>
    /// <param name="offset">The index of the part's first element.</param>
    /// <param name="length">The part's length, in elements.</param>
    /// <returns>
    /// A memory that keeps the buffer alive. A buffer of more than <see cref="int.MaxValue"/> elements allocates a small object for it.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is not inside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Memory<T> GetMemory(long offset, int length)
    {
        ThrowIfDisposed();
        long all = _length;
        Throw.UnlessPart(offset, length, all);
        return all <= int.MaxValue ? CreateMemory((int)offset, length) : new NativeBufferWindow<T>(this, offset, length).Memory;
    }

    /// <summary>Returns the whole buffer, whatever its length, in segments of up to 2^30 elements.</summary>
    /// <returns>A sequence that keeps the buffer alive but does not own it.</returns>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public ReadOnlySequence<T> AsReadOnlySequence() => NativeBufferSegment<T>.CreateSequence(this, LargestSegment);

    /// <summary>
    /// Returns a stream over the bytes of the buffer that reads, writes and seeks. Its length is always the buffer's, in bytes: writing
    /// past the end or setting another length throws <see cref="NotSupportedException"/>.
    /// </summary>
    /// <remarks>
    /// Like other streams, it serves one user at a time. It pins the buffer while it copies, so if another thread disposes the buffer, the
    /// block stays until the copy is done. Reads and writes allocate nothing, also when called asynchronously: they complete before the
    /// call returns.
    /// </remarks>
    /// <returns>
    /// A stream at position 0 that keeps the buffer alive but does not own it: closing the stream does not affect the buffer.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Stream AsStream()
    {
        ThrowIfDisposed();
        return new NativeBufferStream(this);
    }

    /// <summary>Returns the whole buffer as elements of a size that divides its own, for which they are few enough.</summary>
    internal Span<TElement> GetElements<TElement>()
    {
        ThrowIfDisposed();
        return new Span<TElement>(_pointer, (int)(_length * sizeof(T) / Unsafe.SizeOf<TElement>()));
    }

    /// <inheritdoc/>
    Memory<byte> INativeBytes.GetBytes(long offset, int length) =>
        this is NativeBuffer<byte> bytes ? bytes.GetMemory(offset, length) : new MemoryWindow(this, offset, length).Memory;

    /// <inheritdoc/>
    Span<byte> ILongMemory.GetSpan(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, _length * sizeof(T));
        return new Span<byte>((byte*)_pointer + offset, length);
    }

    /// <summary>
    /// A buffer of length 0 has a block too, so that its address is valid. More bytes than a <see cref="long"/> counts are more than any
    /// heap has.
    /// </summary>
    private static nuint BlockSizeFor(long length) =>
        (nuint)(length > long.MaxValue / sizeof(T) ? long.MaxValue : Math.Max(length * sizeof(T), 1));

    private int SingleLength()
    {
        long length = Length;
        if (length > int.MaxValue)
        {
            ThrowTooLong(length);
        }

        return (int)length;
    }

    private static void ThrowTooLong(long length) => throw new OverflowException(
        $"The buffer has {length} elements, more than a single span or memory can hold: take parts of it with GetSpan and GetMemory.");
}
