using System.Buffers;
using System.Text;

namespace Tarn;

/// <content>The contents as a whole.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>The contents, without a copy.</summary>
    /// <returns>
    /// All of the stream, wherever the position is; valid until the next change or <see cref="Stream.Dispose()"/>, and until
    /// <see cref="GetSpan"/>, <see cref="GetMemory"/>, <see cref="GetBuffer"/> or <see cref="TryGetBuffer"/>, which may replace memory as
    /// well. Nothing is allocated for one array, nor when it is asked for again and no segment was added.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public ReadOnlySequence<byte> GetReadOnlySequence() => Contents.GetSequence();

    /// <summary>The contents as one new array, wherever the position is.</summary>
    /// <exception cref="IOException">The stream is longer than an array can be.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override byte[] ToArray()
    {
        StreamThrow.IfTooLongForArray(Contents.Length);
        byte[] array = GC.AllocateUninitializedArray<byte>((int)_bytes.Length);
        _bytes.Read(0, array);
        return array;
    }

    /// <summary>The contents as text.</summary>
    /// <param name="encoding">How the bytes are to be read; UTF-8 when null. A byte order mark is text like any other.</param>
    /// <exception cref="DecoderFallbackException">The bytes are no text of that encoding, and it is one that throws.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public string GetString(Encoding? encoding = null)
    {
        ReadOnlySequence<byte> contents = GetReadOnlySequence();
        return (encoding ?? Encoding.UTF8).GetString(contents);
    }

    /// <summary>
    /// The array that the contents lie in, from index 0 on. Free while there is one segment; otherwise the contents are copied together
    /// once, and the old segments go back to the pool: what was taken of them before is not to be used any more.
    /// </summary>
    /// <returns>The array, at least as long as the contents; the stream's until that is changed, asked for room, or disposed.</returns>
    /// <exception cref="UnauthorizedAccessException">The contents lie in native memory.</exception>
    /// <exception cref="IOException">The stream is longer than an array can be.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory for one segment; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override byte[] GetBuffer()
    {
        ThrowIfContentsAreGone();
        if (Options.Heap is not null)
        {
            throw new UnauthorizedAccessException(
                $"The contents lie in native memory, not in an array: use {nameof(GetReadOnlySequence)} or {nameof(ToArray)}.");
        }

        StreamThrow.IfTooLongForArray(_bytes.Length);
        return Join();
    }

    /// <summary>The contents as part of an array, as <see cref="GetBuffer"/> has it; joins several segments as that does.</summary>
    /// <param name="buffer">The contents; empty when the result is false.</param>
    /// <returns>False when the contents lie in native memory, are too long for one array, or are gone as the stream was disposed.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for one segment; the stream is unchanged.</exception>
    public override bool TryGetBuffer(out ArraySegment<byte> buffer)
    {
        if (Options.Heap is not null || AreContentsGone || _bytes.Length > Array.MaxLength)
        {
            buffer = default;
            return false;
        }

        buffer = new ArraySegment<byte>(Join(), 0, (int)_bytes.Length);
        return true;
    }

    /// <summary>Hands the contents over without a copy, and leaves the stream empty, with no memory of its own, at position 0.</summary>
    /// <returns>The contents, which the caller disposes.</returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public PooledSequence Detach()
    {
        ThrowIfContentsAreGone();
        _bytes.DropPending();
        PooledSequence contents = new(ref _bytes);
        MoveTo(0);
        return contents;
    }

    /// <summary>A stream that reads the contents at a position of its own, without a copy; disposing it does nothing to this one.</summary>
    /// <returns>
    /// A view that cannot write. Several may be read at once, on several threads, as long as this stream is not changed, and not joined
    /// by <see cref="GetBuffer"/> or <see cref="TryGetBuffer"/>. What this stream holds at the time of a read is what is read.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Stream OpenRead()
    {
        ThrowIfContentsAreGone();
        return new PooledStreamView(this);
    }

    private bool AreContentsGone => _isOpen == 0 && !Options.KeepContentsOnDispose;

    /// <summary>The contents, to be read; also after Dispose, when they are kept.</summary>
    /// <exception cref="ObjectDisposedException">The contents are gone.</exception>
    internal ref readonly SegmentedBytes Contents
    {
        get
        {
            ThrowIfContentsAreGone();
            return ref _bytes;
        }
    }

    /// <summary>The contents in one array, which is the stream's only segment from now on.</summary>
    private byte[] Join()
    {
        long position = Cursor;
        if (_bytes.Join() is { } replaced)
        {
            MoveTo(position);
            SegmentReturn.GiveBack(replaced, Options);
        }

        return _bytes.ExposeOnly();
    }

    private void ThrowIfContentsAreGone()
    {
        if (AreContentsGone)
        {
            StreamThrow.Disposed();
        }
    }
}
