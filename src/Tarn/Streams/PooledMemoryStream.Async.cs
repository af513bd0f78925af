namespace Tarn;

/// <content>Asynchronous members: everything is there, so they complete at once and allocate nothing.</content>
/// <remarks>What fails fails as the plain members do, through the task. The members that take arrays are inherited: they call <see cref="Read(byte[], int, int)"/> and keep the last task.</remarks>
public sealed partial class PooledMemoryStream
{
    /// <inheritdoc cref="Read(Span{byte})"/>
    /// <param name="buffer">Where the bytes go.</param>
    /// <param name="cancellationToken">If it is cancelled already, nothing is read and the result is cancelled.</param>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        try
        {
            return new ValueTask<int>(Read(buffer.Span));
        }
        catch (Exception e)
        {
            return ValueTask.FromException<int>(e);
        }
    }

    /// <inheritdoc cref="Write(ReadOnlySpan{byte})"/>
    /// <param name="buffer">The bytes.</param>
    /// <param name="cancellationToken">If it is cancelled already, nothing is written and the result is cancelled.</param>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        try
        {
            Write(buffer.Span);
            return default;
        }
        catch (Exception e)
        {
            return ValueTask.FromException(e);
        }
    }
}
