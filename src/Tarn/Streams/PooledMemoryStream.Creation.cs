namespace Tarn;

/// <content>Streams that begin with contents, and those that wait for their first memory.</content>
public sealed partial class PooledMemoryStream
{
    /// <summary>Creates a stream with a copy of bytes, at position 0.</summary>
    /// <remarks>Unlike a <see cref="MemoryStream"/> over an array, it has its own memory and can grow.</remarks>
    /// <param name="contents">The bytes to copy.</param>
    /// <param name="options">The stream's options; null for the defaults.</param>
    /// <exception cref="ArgumentException"><paramref name="options"/> contradict each other.</exception>
    /// <exception cref="IOException">
    /// <paramref name="contents"/> is longer than <see cref="PooledMemoryStreamOptions.MaxCapacity"/> allows.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public PooledMemoryStream(ReadOnlySpan<byte> contents, PooledMemoryStreamOptions? options = null)
        : this(options ?? PooledMemoryStreamOptions.Default)
    {
        try
        {
            Write(contents);
        }
        catch
        {
            Close();
            throw;
        }

        Position = 0;
    }

    /// <summary>
    /// Creates an empty stream with room for <paramref name="capacity"/> bytes, and waits until the
    /// <see cref="PooledMemoryStreamOptions.Budget"/> of the options has it.
    /// </summary>
    /// <param name="options">The stream's options.</param>
    /// <param name="capacity">The initial room in bytes.</param>
    /// <param name="cancellationToken">Ends the wait. Nothing is taken then.</param>
    /// <returns>The stream. Await it once, and dispose the stream.</returns>
    /// <remarks>
    /// A stream that takes its whole capacity at once holds nothing while it waits. So streams that are created like this cannot wait for
    /// each other, as long as they are not written beyond it.
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="options"/> contradict each other.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// A setting of <paramref name="options"/> is out of range, or <paramref name="capacity"/> is negative or more than
    /// <see cref="PooledMemoryStreamOptions.MaxCapacity"/>.
    /// </exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The capacity is above the limit of the budget or of a parent, or there was no room within
    /// <see cref="PooledMemoryStreamOptions.AsyncBudgetTimeout"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The wait was cancelled, by <paramref name="cancellationToken"/> or by
    /// <see cref="PooledMemoryStreamOptions.BudgetCancellationToken"/>.
    /// </exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory.</exception>
    public static ValueTask<PooledMemoryStream> CreateAsync(
        PooledMemoryStreamOptions options, long capacity, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify(nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegative(capacity);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, options.MaxCapacity);
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<PooledMemoryStream>(cancellationToken);
        }

        return options.Budget is null || capacity == 0
            ? new ValueTask<PooledMemoryStream>(new PooledMemoryStream(options, capacity))
            : CreateBudgetedAsync(options, capacity, cancellationToken);
    }

    private static async ValueTask<PooledMemoryStream> CreateBudgetedAsync(
        PooledMemoryStreamOptions options, long capacity, CancellationToken cancellationToken)
    {
        PooledMemoryStream stream = new(options);
        try
        {
            return await BudgetedCall.RunAsync(
                options.Budget!,
                new StreamWait(stream),
                (Stream: stream, Capacity: capacity),
                static created =>
                {
                    created.Stream.LongCapacity = created.Capacity;
                    return created.Stream;
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            stream.Close();
            throw;
        }
    }
}
