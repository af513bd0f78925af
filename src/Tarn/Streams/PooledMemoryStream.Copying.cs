namespace Tarn;

/// <content>Copying between streams; <see cref="StreamTransfer"/> does the work.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>Writes all contents to another stream in few large writes, regardless of the position, which does not change.</summary>
    /// <param name="stream">The destination.</param>
    /// <exception cref="ArgumentNullException"><paramref name="stream"/> is null.</exception>
    /// <exception cref="NotSupportedException"><paramref name="stream"/> cannot be written.</exception>
    /// <exception cref="InvalidOperationException">The contents were cut or detached during the copy.</exception>
    /// <exception cref="ObjectDisposedException">A stream was disposed.</exception>
    public override void WriteTo(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        using CallInside inside = Enter();
        if (stream == this)
        {
            Write(GetReadOnlySequence());
        }
        else if (_at.Bytes.Length == 0)
        {
            // As with a plain stream, a destination that cannot be written must throw.
            stream.Write([]);
        }
        else
        {
            StreamTransfer.Write(this, stream, 0);
        }
    }

    /// <summary>
    /// Writes the bytes from the position to the end to another stream in few large writes, and moves the position to the end.
    /// </summary>
    /// <param name="destination">The destination.</param>
    /// <param name="bufferSize">Not used: there is no intermediate buffer.</param>
    /// <exception cref="ArgumentNullException"><paramref name="destination"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bufferSize"/> is not positive.</exception>
    /// <exception cref="NotSupportedException"><paramref name="destination"/> cannot be written.</exception>
    /// <exception cref="InvalidOperationException">The contents were cut or detached during the copy.</exception>
    /// <exception cref="ObjectDisposedException">A stream was disposed.</exception>
    public override void CopyTo(Stream destination, int bufferSize)
    {
        ValidateCopyToArguments(destination, bufferSize);
        using CallInside inside = Enter();
        StreamTransfer.Write(this, destination, SkipToEnd());
    }

    /// <inheritdoc cref="CopyTo(Stream, int)" path="/*[not(self::param)]"/>
    /// <param name="destination">The destination.</param>
    /// <param name="bufferSize">Not used: there is no intermediate buffer.</param>
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
    /// Reads the rest of <paramref name="source"/> directly into this stream's memory, appends it, and moves the position to the end.
    /// </summary>
    /// <param name="source">The source. If it knows its length, one segment of that size is taken.</param>
    /// <returns>The number of bytes appended.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="source"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="source"/> is this stream, or a view of it.</exception>
    /// <exception cref="NotSupportedException"><paramref name="source"/> cannot be read.</exception>
    /// <exception cref="IOException">
    /// The source has more bytes than <see cref="PooledMemoryStreamOptions.MaxCapacity"/> allows. If it knows its length, nothing has
    /// changed. Otherwise, as with any failure of the source, the bytes read before stay.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the bytes read before stay.</exception>
    /// <exception cref="ObjectDisposedException">A stream was disposed.</exception>
    public long CopyFrom(Stream source)
    {
        StreamTransfer.ThrowIfNoSource(this, source);
        return StreamTransfer.Append(this, source);
    }

    /// <inheritdoc cref="CopyFrom" path="/*[not(self::param)]"/>
    /// <param name="source">The source.</param>
    /// <param name="cancellationToken">
    /// Passed on to <paramref name="source"/>, and ends a wait for a <see cref="PooledMemoryStreamOptions.Budget"/>. The bytes read before
    /// a cancellation stay.
    /// </param>
    public ValueTask<long> CopyFromAsync(Stream source, CancellationToken cancellationToken = default)
    {
        StreamTransfer.ThrowIfNoSource(this, source);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<long>(cancellationToken)
            : StreamTransfer.AppendAsync(this, source, cancellationToken);
    }

    /// <summary>Moves the position to the end, unless it is past the end. Returns the old position.</summary>
    private long SkipToEnd()
    {
        using CallInside inside = Enter();
        long position = Cursor;
        MoveTo(Math.Max(position, _at.Bytes.Length));
        return position;
    }
}
