namespace Tarn;

/// <content>From stream to stream, without buffers in between.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>
    /// The small segments that a stream begins with are gathered to one write of at most this many bytes: a call to the system costs more than the copy.
    /// </summary>
    private const int LargestGathered = 128 << 10;

    /// <summary>To find out whether a source has more when this stream is full: less than is worth a segment.</summary>
    private const int ProbeSize = 256;

    /// <summary>Writes all contents, wherever the position is, which stays; in few large writes.</summary>
    /// <param name="stream">Where to.</param>
    /// <exception cref="ArgumentNullException"><paramref name="stream"/> is null.</exception>
    /// <exception cref="NotSupportedException"><paramref name="stream"/> cannot be written.</exception>
    /// <exception cref="InvalidOperationException">The contents were cut or detached meanwhile.</exception>
    /// <exception cref="ObjectDisposedException">A stream was disposed.</exception>
    public override void WriteTo(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ThrowIfDisposed();
        if (stream == this)
        {
            Write(GetReadOnlySequence());
            return;
        }

        if (_length == 0)
        {
            // As a plain stream does: one that cannot be written is to say so.
            stream.Write([]);
            return;
        }

        WriteRange(stream, 0);
    }

    /// <summary>Writes what lies from the position to the end, in few large writes, and moves the position to the end.</summary>
    /// <param name="destination">Where to.</param>
    /// <param name="bufferSize">Not used: there is no buffer in between.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bufferSize"/> is not positive.</exception>
    /// <exception cref="NotSupportedException"><paramref name="destination"/> cannot be written.</exception>
    /// <exception cref="InvalidOperationException">The contents were cut or detached meanwhile.</exception>
    /// <exception cref="ObjectDisposedException">A stream was disposed.</exception>
    public override void CopyTo(Stream destination, int bufferSize)
    {
        ValidateCopyToArguments(destination, bufferSize);
        ThrowIfDisposed();
        WriteRange(destination, SkipToEnd());
    }

    /// <inheritdoc cref="CopyTo(Stream, int)"/>
    /// <param name="destination">Where to.</param>
    /// <param name="bufferSize">Not used: there is no buffer in between.</param>
    /// <param name="cancellationToken">Passed on to <paramref name="destination"/>.</param>
    public override Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        ThrowIfDisposed();
        return cancellationToken.IsCancellationRequested
            ? Task.FromCanceled(cancellationToken)
            : WriteRangeAsync(destination, SkipToEnd(), cancellationToken);
    }

    /// <summary>Appends everything that <paramref name="source"/> still has, read straight into this stream's memory, and moves the position to the end.</summary>
    /// <param name="source">Where from. What it can tell of its length is the size of the segment that is taken.</param>
    /// <returns>How many bytes there were.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="source"/> is this stream, or a view of it.</exception>
    /// <exception cref="NotSupportedException"><paramref name="source"/> cannot be read.</exception>
    /// <exception cref="IOException">
    /// The source has more than <see cref="PooledMemoryStreamOptions.MaxCapacity"/> allows. If it could tell its length, nothing has changed;
    /// otherwise, as with any failure of the source, what was read before stays.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; what was read before stays.</exception>
    /// <exception cref="ObjectDisposedException">A stream was disposed.</exception>
    public long WriteFrom(Stream source)
    {
        ValidateSource(source);
        long before = BeginAppending(source);
        Span<byte> probe = stackalloc byte[ProbeSize];
        while (true)
        {
            bool isFull = _length == Room;
            int read = source.Read(isFull ? probe : GetSpan());
            if (read == 0)
            {
                return _length - before;
            }

            TakeOver(isFull ? probe[..read] : default, read);
        }
    }

    /// <inheritdoc cref="WriteFrom"/>
    /// <param name="source">Where from.</param>
    /// <param name="cancellationToken">Passed on to <paramref name="source"/>; what was read before stays.</param>
    public ValueTask<long> WriteFromAsync(Stream source, CancellationToken cancellationToken = default)
    {
        ValidateSource(source);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<long>(cancellationToken)
            : AppendAsync(source, cancellationToken);
    }

    private async ValueTask<long> AppendAsync(Stream source, CancellationToken cancellationToken)
    {
        long before = BeginAppending(source);
        byte[] probe = Rent(ProbeSize);
        try
        {
            while (true)
            {
                bool isFull = _length == Room;
                int read = await source.ReadAsync(isFull ? probe : GetMemory(), cancellationToken).ConfigureAwait(false);
                if (read == 0)
                {
                    return _length - before;
                }

                TakeOver(isFull ? probe.AsSpan(0, read) : default, read);
            }
        }
        finally
        {
            GiveBackCopy(probe);
        }
    }

    private void ValidateSource(Stream source)
    {
        ArgumentNullException.ThrowIfNull(source);
        ThrowIfDisposed();
        if (source == this || source is PooledStreamView view && view.Shows(this))
        {
            throw new ArgumentException("A stream cannot be appended to itself, nor a view of it: it would never end.", nameof(source));
        }

        if (!source.CanRead)
        {
            ObjectDisposedException.ThrowIf(!source.CanWrite, source);
            throw new NotSupportedException("The source cannot be read.");
        }
    }

    /// <summary>Moves to the end, and makes room for what the source says that it has; the length so far.</summary>
    private long BeginAppending(Stream source)
    {
        long announced = source.CanSeek ? Math.Max(0, source.Length - source.Position) : 0;
        if (announced > _options.MaxCapacity - _length)
        {
            StreamThrow.TooLong(_options.MaxCapacity);
        }

        GiveBack(Reserve(_length + announced));
        MoveTo(_length);
        return _length;
    }

    /// <summary>Makes what was read part of the stream: the probe's bytes, or those in the memory that was asked for.</summary>
    private void TakeOver(ReadOnlySpan<byte> probed, int read)
    {
        if (probed.IsEmpty)
        {
            Advance(read);
        }
        else
        {
            Write(probed);
        }
    }

    /// <summary>Moves the position to the end, if it is not behind that; where it was.</summary>
    private long SkipToEnd()
    {
        long position = _start + _offset;
        if (position < _length)
        {
            MoveTo(_length);
        }

        return position;
    }

    private void WriteRange(Stream destination, long position)
    {
        long end = _length;
        while (position < end)
        {
            ThrowIfCut(end);
            Memory<byte> part = PartAt(position, end, out byte[]? gathered);
            try
            {
                destination.Write(part.Span);
            }
            finally
            {
                GiveBackCopy(gathered);
            }

            position += part.Length;
        }
    }

    private async Task WriteRangeAsync(Stream destination, long position, CancellationToken cancellationToken)
    {
        long end = _length;
        while (position < end)
        {
            ThrowIfCut(end);
            Memory<byte> part = PartAt(position, end, out byte[]? gathered);
            try
            {
                await destination.WriteAsync(part, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                GiveBackCopy(gathered);
            }

            position += part.Length;
        }
    }

    /// <summary>A destination, or whoever did not await it, may change this stream: part of the contents must not pass for all of them.</summary>
    private void ThrowIfCut(long end)
    {
        ThrowIfContentsAreGone();
        if (_length < end)
        {
            throw new InvalidOperationException("The stream's contents were cut or detached while they were copied.");
        }
    }

    /// <summary>
    /// The longest stretch from <paramref name="position"/> on that lies in one piece; where that is short and more follows, several are copied together
    /// into an array that is to be given back.
    /// </summary>
    private Memory<byte> PartAt(long position, long end, out byte[]? gathered)
    {
        gathered = null;
        if (_table is not { } table)
        {
            return new Memory<byte>(_array, (int)position, (int)(end - position));
        }

        int index = table.Find(position);
        long partEnd = Math.Min(end, table[index].End);
        if (partEnd - position >= LargestGathered || partEnd == end)
        {
            return table[index].GetMemory(_options.Heap, (int)(position - table[index].Start), (int)(partEnd - position));
        }

        int size = (int)Math.Min(end - position, LargestGathered);
        gathered = Rent(size);
        return gathered.AsMemory(0, ReadAt(position, gathered.AsSpan(0, size)));
    }

    private void GiveBackCopy(byte[]? gathered)
    {
        if (gathered is not null)
        {
            GiveBack(new Segment { Array = gathered, Size = gathered.Length }, gathered.Length);
        }
    }
}
