namespace Tarn;

/// <summary>A place in the contents of a <see cref="PooledWriter{T}"/>, to be written to later.</summary>
/// <remarks>
/// <see cref="PooledWriter{T}.Reserve"/> returns it. It may be copied, and several writes to it are allowed. It follows the contents when
/// the writer grows, and throws once the writer no longer has them.
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
#pragma warning disable CA1815 // nobody compares places
public readonly struct WriterReservation<T>
#pragma warning restore CA1815
{
    private readonly PooledWriter<T>? _writer;
    private readonly int _generation;

    internal WriterReservation(PooledWriter<T> writer, int offset, int length, int generation)
    {
        _writer = writer;
        _generation = generation;
        Offset = offset;
        Length = length;
    }

    /// <summary>The index of the first element in the contents.</summary>
    public int Offset { get; }

    /// <summary>The number of elements.</summary>
    public int Length { get; }

    /// <summary>The elements, valid until the writer's next call that writes. Take it again after that.</summary>
    /// <exception cref="InvalidOperationException">
    /// The writer was cleared or its contents detached since, or this is a default instance.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public Span<T> Span
    {
        get
        {
            if (_writer is null)
            {
                WriterThrow.ReservationOver();
            }

            return _writer.SpanOf(Offset, Length, _generation);
        }
    }
}
