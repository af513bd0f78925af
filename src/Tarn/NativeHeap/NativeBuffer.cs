using System.Buffers;
using System.Diagnostics;

namespace Tarn;

/// <summary>Owns a block of a <see cref="NativeHeap"/> and shows it as memory, spans, a sequence or a stream.</summary>
/// <remarks>
/// <para>Dispose it once, before its heap; a second time is harmless. Afterwards every member throws
/// <see cref="ObjectDisposedException"/>, and so does every <see cref="Memory{T}"/>, sequence and stream taken before, also when the heap
/// was disposed. Spans and <see cref="Pointer"/> cannot be guarded so: they must not be used after, and keep nothing alive. A memory, a
/// sequence, a stream and a pin do keep the buffer alive.</para>
/// <para>A pin keeps the block: a buffer that is disposed while pinned refuses everything new, and the last unpin frees the block.</para>
/// <para>All members are safe to call from any thread; what several threads write to the bytes is theirs to order. A buffer that was
/// forgotten is freed some time after the garbage collector found it, and reported when the heap's checks ask for leaks.</para>
/// </remarks>
public sealed unsafe partial class NativeBuffer : MemoryManager<byte>, IDisposable, ILongMemory
{
    private readonly NativeHeap _heap;

    /// <summary>Null until the constructor has its block.</summary>
    private readonly byte* _pointer;
    private readonly long _length;

    /// <summary>The stack that rented it, if its loss is to be reported.</summary>
    private readonly StackTrace? _rentedAt;

    /// <param name="heap">Where the block comes from.</param>
    /// <param name="length">Bytes, not negative.</param>
    /// <param name="isZeroed">Whether every byte is to be 0.</param>
    internal NativeBuffer(NativeHeap heap, long length, bool isZeroed)
    {
        // Without a block yet there is nothing for the finalizer of an object whose constructor threw.
        _heap = heap;
        _length = length;
        _rentedAt = heap.CaptureRent();
        nuint size = BlockSizeFor(length);
        _pointer = (byte*)(isZeroed ? heap.AllocateZeroed(size) : heap.Allocate(size));
    }

    /// <summary>Becomes the owner of a block.</summary>
    /// <param name="heap">Where the block comes from.</param>
    /// <param name="block">The block, in use; the buffer frees it from now on.</param>
    /// <param name="length">The size it was allocated with.</param>
    internal NativeBuffer(NativeHeap heap, byte* block, long length)
    {
        _heap = heap;
        _length = length;
        _rentedAt = heap.CaptureRent();
        _pointer = block;
    }

    /// <summary>The length in bytes.</summary>
    /// <exception cref="OverflowException">It is more than an <see cref="int"/> holds; <see cref="LongLength"/> has it.</exception>
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
    /// The address of the first byte, aligned as the heap aligns blocks of this size; not null, in a buffer of length 0 either. Pin the
    /// buffer where it may be disposed or forgotten while the address is in use.
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
    /// <exception cref="OverflowException">The buffer is longer than a memory can be; see <see cref="GetMemory(long, int)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Memory<byte> Memory => CreateMemory(Length);

    /// <summary>The whole buffer.</summary>
    /// <returns>A span that does not keep the buffer alive.</returns>
    /// <exception cref="OverflowException">The buffer is longer than a span can be; see <see cref="GetSpan(long, int)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override Span<byte> GetSpan() => new(_pointer, Length);

    /// <summary>The whole buffer, as <see cref="GetSpan()"/> gives it.</summary>
    /// <inheritdoc cref="GetSpan()" path="/exception"/>
    public Span<byte> Span => GetSpan();

    /// <summary>A part of the buffer.</summary>
    /// <param name="offset">Where it begins, in bytes.</param>
    /// <param name="length">Its length in bytes.</param>
    /// <returns>A span that does not keep the buffer alive.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part does not lie in the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Span<byte> GetSpan(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, _length);
        return new Span<byte>(_pointer + offset, length);
    }

    /// <summary>A part of the buffer.</summary>
    /// <param name="offset">Where it begins, in bytes.</param>
    /// <param name="length">Its length in bytes.</param>
    /// <returns>A memory that keeps the buffer alive. A buffer of 2 GiB or more allocates a small object for it.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The part does not lie in the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Memory<byte> GetMemory(long offset, int length)
    {
        ThrowIfDisposed();
        Throw.UnlessPart(offset, length, _length);
        return _length <= int.MaxValue ? CreateMemory((int)offset, length) : new MemoryWindow(this, offset, length).Memory;
    }

    /// <summary>The whole buffer, however long, in segments of up to 1 GiB.</summary>
    /// <returns>A sequence that keeps the buffer alive, and does not own it.</returns>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public ReadOnlySequence<byte> AsReadOnlySequence() => NativeBufferSegment.CreateSequence(this, NativeBufferSegment.LargestLength);

    /// <summary>
    /// A stream over the buffer: reads, writes and seeks, and its length is always the buffer's. Writing past the end, and another
    /// length, throw <see cref="NotSupportedException"/>.
    /// </summary>
    /// <remarks>
    /// The stream is for one user at a time, as streams are. While it copies it holds a pin, so a buffer disposed by another thread stays
    /// until that copy is done. Reading and writing allocate nothing, asynchronously neither: they are done when the call returns.
    /// </remarks>
    /// <returns>A stream at position 0 that keeps the buffer alive and does not own it: closing it leaves the buffer as it is.</returns>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public Stream AsStream()
    {
        ThrowIfDisposed();
        return new NativeBufferStream(this);
    }

    /// <summary>A buffer of length 0 has a block as well, so that its address is one.</summary>
    private static nuint BlockSizeFor(long length) => (nuint)Math.Max(length, 1);

    private void ThrowTooLong() => throw new OverflowException(
        $"The buffer has {_length} bytes, more than an int, a span or a memory can hold. Use LongLength, and take parts of it.");
}
