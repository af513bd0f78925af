using System.IO.Pipelines;

namespace Tarn.SharedMemory;

/// <summary>A pair of rings as a stream of two directions.</summary>
/// <remarks>
/// <para>A read of no bytes waits until there are any, and reads none of them, as that of a socket does.</para>
/// <para>Its disposal is safe from any thread, beside any call, which completes then or throws <see cref="ObjectDisposedException"/>. A
/// write that was cancelled left bytes behind, for which a disposal does not wait: no end follows a part of them.</para>
/// </remarks>
internal sealed class SharedPipeStream(SharedPipe pipe) : Stream
{
    private volatile bool _isDisposed;

    /// <inheritdoc/>
    public override bool CanRead => !_isDisposed;

    /// <inheritdoc/>
    public override bool CanWrite => !_isDisposed;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        return Take(Finish(pipe.Reader.ReadAsync()), buffer);
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        return Read(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override int ReadByte()
    {
        byte one = 0;
        return Read(new Span<byte>(ref one)) == 0 ? -1 : one;
    }

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        return Take(await pipe.Reader.ReadAsync(cancellationToken).ConfigureAwait(false), buffer.Span);
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        Verify(Finish(pipe.Writer.Write(buffer)));
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        Write(buffer.AsSpan(offset, count));
    }

    /// <inheritdoc/>
    public override void WriteByte(byte value) => Write([value]);

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        Verify(await pipe.Writer.WriteAsync(buffer, cancellationToken).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        ValidateBufferArguments(buffer, offset, count);
        return WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();
    }

    /// <inheritdoc/>
    public override Task CopyToAsync(Stream destination, int bufferSize, CancellationToken cancellationToken)
    {
        ValidateCopyToArguments(destination, bufferSize);
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        return pipe.Reader.CopyToAsync(destination, cancellationToken);
    }

    /// <summary>Each write flushes, so nothing is left to do.</summary>
    public override void Flush() => ObjectDisposedException.ThrowIf(_isDisposed, this);

    /// <inheritdoc/>
    public override Task FlushAsync(CancellationToken cancellationToken)
    {
        Flush();
        return cancellationToken.IsCancellationRequested ? Task.FromCanceled(cancellationToken) : Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override IAsyncResult BeginRead(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        TaskToAsyncResult.Begin(ReadAsync(buffer, offset, count, CancellationToken.None), callback, state);

    /// <inheritdoc/>
    public override int EndRead(IAsyncResult asyncResult) => TaskToAsyncResult.End<int>(asyncResult);

    /// <inheritdoc/>
    public override IAsyncResult BeginWrite(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        TaskToAsyncResult.Begin(WriteAsync(buffer, offset, count, CancellationToken.None), callback, state);

    /// <inheritdoc/>
    public override void EndWrite(IAsyncResult asyncResult) => TaskToAsyncResult.End(asyncResult);

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        _isDisposed = true;
        await pipe.CompleteAsync(waits: false).ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _isDisposed = true;
            PipeCalls.Await(pipe.CompleteAsync(waits: false));
        }

        base.Dispose(disposing);
    }

    private static T Finish<T>(ValueTask<T> call) => call.IsCompleted ? call.Result : call.AsTask().GetAwaiter().GetResult();

    private int Take(ReadResult result, Span<byte> buffer)
    {
        int length = pipe.Reader.Take(result, buffer);
        return length > 0 || !result.IsCanceled
            ? length
            : throw new OperationCanceledException("The read of the stream was cancelled by CancelPendingRead.");
    }

    private void Verify(FlushResult result)
    {
        if (result.IsCanceled)
        {
            throw new OperationCanceledException("The write to the stream was cancelled by CancelPendingFlush.");
        }

        if (result.IsCompleted && !pipe.Writer.IsAllRead)
        {
            throw new IOException("The other side has closed the connection, so it reads no more.");
        }
    }
}
