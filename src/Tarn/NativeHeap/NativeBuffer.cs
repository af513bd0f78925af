using System.Buffers;
using System.Diagnostics;

namespace Tarn;

/// <summary>Owns a block of a <see cref="NativeHeap"/> and exposes it as memory, spans, a sequence or a stream.</summary>
/// <remarks>
/// <para>Dispose the buffer once, before its heap; a second call is harmless. Afterwards every member throws
/// <see cref="ObjectDisposedException"/>, and so does every <see cref="Memory{T}"/>, sequence and stream taken from the buffer. The same
/// holds after the heap was disposed. Spans and <see cref="Pointer"/> cannot be guarded in this way: do not use them after disposal. They
/// do not keep the buffer alive; a memory, a sequence, a stream and a pin do.</para>
/// <para>A pin keeps the block allocated. A buffer that is disposed while pinned refuses new calls, and the last unpin frees the
/// block.</para>
/// <para>All members are safe to call from any thread, also beside <see cref="Dispose()"/>: a call that this overtakes completes or throws
/// <see cref="ObjectDisposedException"/>. Threads that write to the same bytes must synchronize. A forgotten buffer is freed
/// some time after the garbage collector finds it, and is reported if the heap's checks include leaks.</para>
/// </remarks>
public sealed unsafe partial class NativeBuffer : MemoryManager<byte>, IDisposable, ILongMemory
{
    private readonly NativeHeap _heap;

    /// <summary>The alignment that the block was allocated with.</summary>
    private readonly nuint _alignment;

    /// <summary>Null until the constructor has its block.</summary>
    private byte* _pointer;
    private long _length;

    /// <summary>The stack that rented the buffer, if a leak of it is to be reported.</summary>
    private readonly StackTrace? _rentedAt;

    /// <param name="heap">The heap that allocates the block.</param>
    /// <param name="length">Bytes, not negative.</param>
    /// <param name="isZeroed">Whether to clear the block.</param>
    internal NativeBuffer(NativeHeap heap, long length, bool isZeroed)
        : this(heap, length, NativeHeap.NaturalAlignment(BlockSizeFor(length)), isZeroed)
    {
    }

    /// <param name="heap">The heap that allocates the block.</param>
    /// <param name="length">Bytes, not negative.</param>
    /// <param name="alignment">The alignment of the block.</param>
    /// <param name="isZeroed">Whether to clear the block.</param>
    internal NativeBuffer(NativeHeap heap, long length, nuint alignment, bool isZeroed)
    {
        // If the constructor throws, the object has no block, so the finalizer has nothing to free.
        _heap = heap;
        _length = length;
        _alignment = alignment;
        _rentedAt = heap.CaptureRent();
        nuint size = BlockSizeFor(length);
        _pointer = (byte*)(isZeroed ? heap.AllocateAlignedZeroed(size, alignment) : heap.AllocateAligned(size, alignment));
    }

    /// <summary>Makes a buffer that owns an existing block.</summary>
    /// <param name="heap">The heap that allocated the block.</param>
    /// <param name="block">A block in use. The buffer takes ownership of it.</param>
    /// <param name="length">The size it was allocated with.</param>
    internal NativeBuffer(NativeHeap heap, byte* block, long length)
    {
        _heap = heap;
        _length = length;
        _alignment = NativeHeap.NaturalAlignment(BlockSizeFor(length));
        _rentedAt = heap.CaptureRent();
        _pointer = block;
    }

    /// <summary>The length in bytes.</summary>
    /// <exception cref="OverflowException">The length exceeds <see cref="int.MaxValue"/>; use <see cref="LongLength"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public int Length
    {
        get
        {
            ThrowIfDisposed();
            if (_length > int.MaxValue)
            {
                ThrowTooLong();
            }

            return (int)_length;
        }
    }

    /// <summary>The length in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public long LongLength
    {
        get
        {
            ThrowIfDisposed();
            return _length;
        }
    }

    /// <summary>
    /// The address of the first byte, aligned as the heap aligns blocks of this size. It is never null, even in a buffer of length 0. Pin
    /// the buffer if it may be disposed or forgotten while the address is in use.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
#pragma warning disable CA1720 // a pointer is what it is
    public byte* Pointer
#pragma warning restore CA1720
    {
        get
        {
            ThrowIfDisposed();
            return _pointer;
        }
    }

    /// <summary>The whole buffer.</summary>
    /// <exception cref="OverflowException">The buffer is too long for a single memory; see <see cref="GetMemory(long, int)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Memory<byte> Memory => CreateMemory(Length);

    /// <summary>The whole buffer.</summary>
    /// <returns>A span that does not keep the buffer alive.</returns>
    /// <exception cref="OverflowException">The buffer is too long for a single span; see <see cref="GetSpan(long, int)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Span<byte> GetSpan() => new(_pointer, Length);

    /// <summary>The whole buffer, as <see cref="GetSpan()"/> returns it.</summary>
    /// <inheritdoc cref="GetSpan()" path="/exception"/>
    public Span<byte> Span => GetSpan();

    /// <summary>Returns a part of the buffer as a span.</summary>
    /// <param name="offset">The offset of the part's first byte.</param>
    /// <param name="length">The part's length, in bytes.</param>
    /// <returns>A span that does not keep the buffer alive.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is not inside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Span<byte> GetSpan(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, _length);
        return new Span<byte>(_pointer + offset, length);
    }

    /// <summary>Returns a part of the buffer as a memory.</summary>
    /// <param name="offset">The offset of the part's first byte.</param>
    /// <param name="length">The part's length, in bytes.</param>
    /// <returns>A memory that keeps the buffer alive. A buffer of 2 GiB or more allocates a small object for it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part is not inside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Memory<byte> GetMemory(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, _length);
        return _length <= int.MaxValue ? CreateMemory((int)offset, length) : new MemoryWindow(this, offset, length).Memory;
    }

    /// <summary>Returns the whole buffer, whatever its length, in segments of up to 1 GiB.</summary>
    /// <returns>A sequence that keeps the buffer alive but does not own it.</returns>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public ReadOnlySequence<byte> AsReadOnlySequence() => NativeBufferSegment.CreateSequence(this, NativeBufferSegment.LargestLength);

    /// <summary>
    /// Returns a stream over the buffer that reads, writes and seeks. Its length is always the buffer's: writing past the end or setting
    /// another length throws <see cref="NotSupportedException"/>.
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

    /// <summary>Returns the whole buffer as elements, whose size divides its length.</summary>
    internal Span<T> GetElements<T>()
        where T : unmanaged
    {
        ThrowIfDisposed();
        return new Span<T>(_pointer, (int)(_length / sizeof(T)));
    }

    /// <summary>A buffer of length 0 has a block too, so that its address is valid.</summary>
    private static nuint BlockSizeFor(long length) => (nuint)Math.Max(length, 1);

    private void ThrowTooLong() => throw new OverflowException(
        $"The buffer has {_length} bytes, more than an int, a span or a memory can hold. Use LongLength, and take parts of the buffer.");
}
