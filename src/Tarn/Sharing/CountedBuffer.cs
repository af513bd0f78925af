using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A pooled buffer for many holders: each slice taken from it holds it, and the last disposal returns it.</summary>
/// <remarks>
/// <para>Fill the buffer, take a slice for each receiver, and dispose the buffer: it stays until the last receiver disposes its slice. The
/// buffer is one of the holders, the one that may write. Slices only read.</para>
/// <code>
/// using CountedBuffer&lt;byte&gt; message = CountedBuffer&lt;byte&gt;.Rent(length);
/// Fill(message.Span);
/// foreach (Receiver receiver in receivers)
/// {
///     receiver.Post(message.Slice());
/// }
/// </code>
/// <para>Dispose it once: a copy of this value is the same holder, and a second disposal throws <see cref="ObjectDisposedException"/>, as
/// does every use after it, even when the memory belongs to another owner by then. Memory and spans taken earlier are not guarded. Once
/// warm, nothing of this allocates, unless the buffer counts in a budget. All members are safe to call from any thread.</para>
/// <para>Where the buffer's pool checks for <see cref="BufferChecks.Leaks"/>, a buffer that never comes back is reported with each holder
/// that is left and the stack at which it became one (<see cref="BufferIncident.HeldAt"/>).</para>
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public readonly struct CountedBuffer<T> : IDisposable, IEquatable<CountedBuffer<T>>
{
    /// <summary>The buffer as a holder that only reads.</summary>
    private readonly CountedSlice<T> _whole;

    private CountedBuffer(CountedSlice<T> whole) => _whole = whole;

    /// <summary>The length, in elements. It remains readable after <see cref="Dispose"/>.</summary>
    public int Length => _whole.Length;

    /// <summary>The buffer. Its contents are undefined until written.</summary>
    /// <exception cref="ObjectDisposedException">The buffer was disposed, or is a default instance.</exception>
    public Span<T> Span
    {
        get
        {
            ReadOnlySpan<T> whole = _whole.Span;
            return MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(whole), whole.Length);
        }
    }

    /// <summary>The buffer as memory. Do not use it after <see cref="Dispose"/>, which cannot be guarded.</summary>
    /// <exception cref="ObjectDisposedException">The buffer was disposed, or is a default instance.</exception>
    public Memory<T> Memory => MemoryMarshal.AsMemory(_whole.Memory);

    /// <summary>
    /// The number of holders at this moment: this buffer and the slices that are not disposed. Other threads may change it at once.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The buffer was disposed, or is a default instance.</exception>
    public int HolderCount => _whole.HolderCount;

    /// <summary>Whether two values are the same holder of the same buffer.</summary>
    /// <param name="left">A buffer.</param>
    /// <param name="right">Another, or a copy.</param>
    public static bool operator ==(CountedBuffer<T> left, CountedBuffer<T> right) => left.Equals(right);

    /// <summary>Whether two values are not the same holder of the same buffer.</summary>
    /// <param name="left">A buffer.</param>
    /// <param name="right">Another, or a copy.</param>
    public static bool operator !=(CountedBuffer<T> left, CountedBuffer<T> right) => !left.Equals(right);

    /// <summary>Rents a buffer of exactly <paramref name="length"/> elements from the shared pool.</summary>
    /// <inheritdoc cref="Rent(BufferPool{T}, int, BufferBudget?)"/>
    public static CountedBuffer<T> Rent(int length) => Rent(BufferPool<T>.Shared, length);

    /// <summary>Rents a buffer of exactly <paramref name="length"/> elements.</summary>
    /// <param name="pool">The pool that takes the buffer back.</param>
    /// <param name="length">The length, in elements.</param>
    /// <param name="budget">
    /// The budget that the bytes of the buffer are taken from, with the slack of the pool's array; null, the default, for none. They return
    /// with the buffer, when the last holder is disposed, on whichever thread. Such a buffer allocates an object of 32 bytes.
    /// </param>
    /// <returns>The buffer. Its contents are undefined. Dispose it once.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The budget, or that of the pool, has no room, or another request waits for it. Nothing was taken.
    /// </exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. The pool is unchanged.</exception>
    public static CountedBuffer<T> Rent(BufferPool<T> pool, int length, BufferBudget? budget = null)
    {
        if (pool is null)
        {
            Throw.ArgumentNull(nameof(pool));
        }

        if (length < 0)
        {
            Throw.NegativeLength(nameof(length), length);
        }

        if (budget is not null)
        {
            return Rent(pool, length, new BudgetedArrays<T>(pool, budget));
        }

        // The table comes first: if there is no memory for it, no buffer has been rented.
        HolderTable<T> table = IdleTables<T>.Take();
        return new CountedBuffer<T>(new CountedSlice<T>(table, table.Begin(pool, pool.Rent(length)), 0, length));
    }

    /// <summary>Rents a buffer whose bytes count in a budget.</summary>
    /// <inheritdoc cref="Rent(BufferPool{T}, int, BufferBudget?)" path="/exception"/>
    internal static CountedBuffer<T> Rent(BufferPool<T> pool, int length, BudgetedArrays<T> arrays)
    {
        T[] array = arrays.Rent(length, length);
        try
        {
            return new CountedBuffer<T>(CountedSlice<T>.Over(pool, array, length, arrays));
        }
        catch
        {
            arrays.TakeBack(array);
            throw;
        }
    }

    /// <summary>Takes a slice of the whole buffer, another holder.</summary>
    /// <returns>The slice. Dispose it once; this buffer may be disposed before or after it.</returns>
    /// <exception cref="ObjectDisposedException">The buffer was disposed, or is a default instance.</exception>
    /// <exception cref="OutOfMemoryException">There is no memory to note one more holder; nothing has changed.</exception>
    public CountedSlice<T> Slice() => _whole.Slice();

    /// <summary>Takes a slice from <paramref name="start"/> to the end, another holder.</summary>
    /// <param name="start">The first element of the slice.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="start"/> is outside the buffer.</exception>
    /// <inheritdoc cref="Slice()"/>
    public CountedSlice<T> Slice(int start) => _whole.Slice(start);

    /// <summary>Takes a slice of <paramref name="length"/> elements from <paramref name="start"/>, another holder.</summary>
    /// <param name="start">The first element of the slice.</param>
    /// <param name="length">The number of elements.</param>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside the buffer.</exception>
    /// <inheritdoc cref="Slice()"/>
    public CountedSlice<T> Slice(int start, int length) => _whole.Slice(start, length);

    /// <summary>Ends this holder's part. The buffer returns to its pool if no slice holds it.</summary>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before, or is a default instance.</exception>
    public void Dispose() => _whole.Dispose();

    /// <summary>Whether <paramref name="other"/> is the same holder of the same buffer.</summary>
    /// <param name="other">A buffer.</param>
    public bool Equals(CountedBuffer<T> other) => _whole == other._whole;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is CountedBuffer<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _whole.GetHashCode();
}
