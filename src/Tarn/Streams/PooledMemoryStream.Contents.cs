using System.Buffers;
using System.Text;

namespace Tarn;

/// <content>The contents as a whole.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>Returns the contents without copying them.</summary>
    /// <returns>
    /// All of the stream, regardless of the position. It is valid until the stream changes or is disposed, and until a call of
    /// <see cref="GetSpan"/>, <see cref="GetMemory"/>, <see cref="GetBuffer"/> or <see cref="TryGetBuffer"/>, which may also replace
    /// memory. The call allocates nothing if the contents are one array, or if no segment was added since the last call.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public ReadOnlySequence<byte> GetReadOnlySequence()
    {
        using CallInside inside = EnterContents();
        return _at.Bytes.GetSequence();
    }

    /// <summary>Copies the contents to a new array, regardless of the position.</summary>
    /// <exception cref="IOException">The stream is longer than an array can be.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override byte[] ToArray()
    {
        using CallInside inside = EnterContents();
        StreamThrow.IfTooLongForArray(_at.Bytes.Length);
        int length = (int)_at.Bytes.Length;
        byte[] array;
        try
        {
            array = GC.AllocateUninitializedArray<byte>(length);
        }
        catch (OutOfMemoryException) when (length <= Array.MaxLength)
        {
            if (!TrimClock.Shared.Relief.TryGiveUpAll(length))
            {
                throw;
            }

            array = GC.AllocateUninitializedArray<byte>(length);
        }

        _at.Bytes.Read(0, array);
        return array;
    }

    /// <summary>Decodes the contents as text.</summary>
    /// <param name="encoding">The encoding of the bytes; null is UTF-8. A byte order mark is decoded like any other character.</param>
    /// <exception cref="DecoderFallbackException">The bytes are invalid in that encoding, and it throws on invalid bytes.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public string GetString(Encoding? encoding = null)
    {
        using CallInside inside = EnterContents();
        ReadOnlySequence<byte> contents = _at.Bytes.GetSequence();
        return (encoding ?? Encoding.UTF8).GetString(contents);
    }

    /// <summary>
    /// Returns the array that holds the contents, from index 0 on. With one segment the call copies nothing. Otherwise it joins the
    /// contents once and returns the old segments to the pool; do not use sequences or spans taken from them before.
    /// </summary>
    /// <returns>
    /// The array, at least as long as the contents. The stream owns it; it is valid until the stream is changed, reserves room, or
    /// disposed.
    /// </returns>
    /// <exception cref="UnauthorizedAccessException">The contents are in native memory.</exception>
    /// <exception cref="IOException">The stream is longer than an array can be.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory to join the segments; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public override byte[] GetBuffer()
    {
        using CallInside inside = EnterContents();
        if (Options.Heap is not null)
        {
            throw new UnauthorizedAccessException(
                $"The contents are in native memory, not in an array: use {nameof(GetReadOnlySequence)} or {nameof(ToArray)}.");
        }

        StreamThrow.IfTooLongForArray(_at.Bytes.Length);
        return Join();
    }

    /// <summary>Returns the contents as part of an array. Joins several segments, as <see cref="GetBuffer"/> does.</summary>
    /// <param name="buffer">The contents; empty when the result is false.</param>
    /// <returns>
    /// False if the contents are in native memory, are too long for one array, or are gone because the stream was disposed.
    /// </returns>
    /// <exception cref="OutOfMemoryException">There is not enough memory to join the segments; the stream is unchanged.</exception>
    public override bool TryGetBuffer(out ArraySegment<byte> buffer)
    {
        buffer = default;
        if (Options.Heap is not null || !TryEnterContents(out CallInside entered))
        {
            return false;
        }

        using CallInside inside = entered;
        if (_at.Bytes.Length > Array.MaxLength)
        {
            return false;
        }

        buffer = new ArraySegment<byte>(Join(), 0, (int)_at.Bytes.Length);
        return true;
    }

    /// <summary>
    /// Moves the contents to a new owner without copying them. The stream is then empty, at position 0, and holds no memory.
    /// </summary>
    /// <returns>The contents. The caller must dispose them.</returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public OwnedSequence<byte> Detach()
    {
        using CallInside inside = EnterContents();
        _at.Bytes.DropPending();
        DetachedBytes contents = new(ref _at.Bytes);
        MoveTo(0);
        return contents;
    }

    /// <summary>
    /// Moves the contents to a slice, of which others can be taken for each receiver. The stream is then empty, at position 0, and holds
    /// no memory. Contents in one array, as those of a stream with enough capacity, are not copied. Several segments and native memory
    /// are copied once, to an array of the pool.
    /// </summary>
    /// <remarks>
    /// A stream whose memory others read could not be written to without looking for them, so it gives its memory away. To take slices of
    /// parts without a copy, use <see cref="Detach"/> and <see cref="OwnedSequence{T}.Slice"/>.
    /// </remarks>
    /// <returns>The slice. Dispose it once.</returns>
    /// <exception cref="IOException">The stream is longer than an array can be.</exception>
    /// <exception cref="BufferBudgetExceededException">A copy does not fit in the budget; the stream is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory for a copy; the stream is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public CountedSlice<byte> DetachSlice()
    {
        using CallInside inside = EnterContents();
        StreamThrow.IfTooLongForArray(_at.Bytes.Length);
        _at.Bytes.DropPending();
        CountedSlice<byte> contents = _at.Bytes.DetachSlice();
        MoveTo(0);
        return contents;
    }

    /// <summary>
    /// Returns a stream that reads the contents at a position of its own, without copying them. Disposing it does not affect this stream.
    /// </summary>
    /// <returns>
    /// A read-only view. Several threads may read several views at once, as long as this stream is not changed and <see cref="GetBuffer"/>
    /// or <see cref="TryGetBuffer"/> does not join it. A read returns what this stream holds at that moment.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The stream was disposed.</exception>
    public Stream OpenRead()
    {
        ThrowIfContentsAreGone();
        return new PooledStreamView(this);
    }

    private bool AreContentsGone => _at.Access.Calls.IsDisposed && !Options.KeepContentsOnDispose;

    /// <summary>The contents, for reading. Available after disposal if they are kept.</summary>
    /// <exception cref="ObjectDisposedException">The contents are gone.</exception>
    internal ref SegmentedBytes Contents
    {
        get
        {
            ThrowIfContentsAreGone();
            return ref _at.Bytes;
        }
    }

    /// <summary>The length of the contents. Available after disposal if they are kept.</summary>
    /// <exception cref="ObjectDisposedException">The contents are gone.</exception>
    internal long ContentsLength
    {
        get
        {
            long length = _at.Bytes.Length;
            Volatile.ReadBarrier();
            ThrowIfContentsAreGone();
            return length;
        }
    }

    /// <summary>Joins the contents in one array, which becomes the stream's only segment.</summary>
    private byte[] Join()
    {
        long position = Cursor;
        if (_at.Bytes.Join() is { } replaced)
        {
            MoveTo(position);
            SegmentReturn.GiveBack(replaced, Options);
        }

        return _at.Bytes.ExposeOnly();
    }

    /// <summary>Enters for a call that reads contents that may have been kept.</summary>
    /// <exception cref="ObjectDisposedException">The contents are gone.</exception>
    private CallInside EnterContents()
    {
        if (!TryEnterContents(out CallInside inside))
        {
            StreamThrow.Disposed();
        }

        return inside;
    }

    /// <summary>Enters unless the contents are gone. Contents that were kept stay, so that their readers need not enter.</summary>
    private bool TryEnterContents(out CallInside inside)
    {
        bool hasEntered = _at.Access.Calls.TryPin();
        inside = new CallInside(hasEntered ? this : null);
        return hasEntered || Options.KeepContentsOnDispose;
    }

    private void ThrowIfContentsAreGone()
    {
        if (AreContentsGone)
        {
            StreamThrow.Disposed();
        }
    }
}
