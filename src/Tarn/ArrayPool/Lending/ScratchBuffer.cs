using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Stack memory where it is large enough, and a pooled buffer otherwise.</summary>
/// <remarks>
/// <code>using ScratchBuffer&lt;byte&gt; scratch = new(stackalloc byte[256], length);</code>
/// It lives on the stack of one thread. A copy would return a pooled buffer a second time, so pass it by <c>ref</c>.
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public ref struct ScratchBuffer<T>
{
    private readonly Span<T> _stack;
    private readonly bool _isPooled;
    private BufferLease<T> _lease;

    /// <summary>
    /// Uses <paramref name="stackMemory"/> if it holds <paramref name="length"/> elements, and otherwise leases from the shared pool.
    /// </summary>
    /// <param name="stackMemory">Memory of the caller, usually <c>stackalloc</c>; left as it is.</param>
    /// <param name="length">The length needed, in elements.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    public ScratchBuffer(Span<T> stackMemory, int length)
        : this(stackMemory, length, BufferPool<T>.Shared)
    {
    }

    /// <summary>
    /// Uses <paramref name="stackMemory"/> if it holds <paramref name="length"/> elements, and otherwise leases from
    /// <paramref name="pool"/>.
    /// </summary>
    /// <param name="stackMemory">Memory of the caller, usually <c>stackalloc</c>; left as it is.</param>
    /// <param name="length">The length needed, in elements.</param>
    /// <param name="pool">The pool for longer buffers.</param>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ScratchBuffer(Span<T> stackMemory, int length, BufferPool<T> pool)
    {
        if (pool is null)
        {
            Throw.ArgumentNull(nameof(pool));
        }

        if ((uint)length <= (uint)stackMemory.Length)
        {
            _stack = stackMemory[..length];
        }
        else
        {
            _lease = pool.Lease(length);
            _isPooled = true;
        }
    }

    /// <summary>The buffer, of exactly the requested length. Its contents are undefined until written.</summary>
    /// <exception cref="ObjectDisposedException">The buffer was pooled and has been disposed.</exception>
    public readonly Span<T> Span => _isPooled ? _lease.Span : _stack;

    /// <summary>Whether the buffer came from a pool.</summary>
    public readonly bool IsPooled => _isPooled;

    /// <summary>Returns a pooled buffer. Further calls do nothing.</summary>
    public void Dispose() => _lease.Dispose();
}
