namespace Tarn;

/// <content>From stream to stream; <see cref="StreamTransfer"/> does the work.</content>
public sealed partial class PooledMemoryStream
{
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
        }
        else if (_bytes.Length == 0)
        {
            // As a plain stream does: one that cannot be written is to say so.
            stream.Write([]);
        }
        else
        {
            StreamTransfer.Write(this, stream, 0);
        }
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
        StreamTransfer.Write(this, destination, SkipToEnd());
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
            : StreamTransfer.WriteAsync(this, destination, SkipToEnd(), cancellationToken);
    }

    /// <summary>
    /// Appends everything that <paramref name="source"/> still has, read straight into this stream's memory, and moves the position to the
    /// end.
    /// </summary>
    /// <param name="source">The source. If it knows its length, that is the size of the segment taken.</param>
    /// <returns>How many bytes there were.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="source"/> is this stream, or a view of it.</exception>
    /// <exception cref="NotSupportedException"><paramref name="source"/> cannot be read.</exception>
    /// <exception cref="IOException">
    /// The source has more than <see cref="PooledMemoryStreamOptions.MaxCapacity"/> allows. If it knows its length, nothing has
    /// changed; otherwise, as with any failure of the source, what was read before stays.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is no memory for it; what was read before stays.</exception>
    /// <exception cref="ObjectDisposedException">A stream was disposed.</exception>
    public long WriteFrom(Stream source)
    {
        StreamTransfer.ThrowIfNoSource(this, source);
        return StreamTransfer.Append(this, source);
    }

    /// <inheritdoc cref="WriteFrom"/>
    /// <param name="source">Where from.</param>
    /// <param name="cancellationToken">Passed on to <paramref name="source"/>; what was read before stays.</param>
    public ValueTask<long> WriteFromAsync(Stream source, CancellationToken cancellationToken = default)
    {
        StreamTransfer.ThrowIfNoSource(this, source);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<long>(cancellationToken)
            : StreamTransfer.AppendAsync(this, source, cancellationToken);
    }

    /// <summary>Moves the position to the end, if it is not behind that; where it was.</summary>
    private long SkipToEnd()
    {
        long position = Cursor;
        MoveTo(Math.Max(position, _bytes.Length));
        return position;
    }
}
