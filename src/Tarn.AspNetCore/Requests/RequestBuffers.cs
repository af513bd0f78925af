using System.Buffers;

namespace Tarn;

/// <summary>Buffers and streams that last as long as a request: they return to their pools when the request's services end.</summary>
/// <remarks>
/// <para>It is a scoped service. ASP.NET Core disposes the request's services after the response was sent, after an exception, and after
/// the client went away. Outside requests, the scope is the one that the service was taken from.</para>
/// <para>A copy of the memory that outlives the request throws <see cref="ObjectDisposedException"/> when it is used. Memory that an
/// operation still pins returns when the operation ends. All members are safe to call from any thread.</para>
/// </remarks>
public sealed class RequestBuffers : IDisposable
{
    private readonly RequestPools? _pools;
    private readonly Lock _lock = new();

    /// <summary>What to dispose at the end; null after the end. Guarded by the lock.</summary>
    private List<IDisposable>? _leases = [];

    /// <summary>Creates buffers from <see cref="BufferPool{T}.Shared"/>, for code without the services of <c>AddTarn</c>.</summary>
    public RequestBuffers()
    {
    }

    /// <summary>Creates buffers from pools with the timeout and cap of <c>AddTarn</c>.</summary>
    internal RequestBuffers(RequestPools pools) => _pools = pools;

    /// <summary>Leases memory of exactly <paramref name="length"/> elements until the request ends. Its contents are undefined.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="length">The length, in elements.</param>
    /// <returns>
    /// The memory, from a pool that has the timeout and cap of <see cref="TarnServerOptions"/>. The request owns it: do not use it after
    /// the request.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException"><see cref="TarnServerOptions.RequestBudget"/> has no room.</exception>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public Memory<T> Lease<T>(int length) => Lease(_pools?.Find<T>() ?? BufferPool<T>.Shared, length);

    /// <summary>As <see cref="Lease{T}(int)"/>, from a pool of your own.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="pool">The pool.</param>
    /// <param name="length">The length, in elements.</param>
    /// <returns>The memory. The request owns it: do not use it after the request.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException"><see cref="TarnServerOptions.RequestBudget"/> has no room.</exception>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public Memory<T> Lease<T>(BufferPool<T> pool, int length)
    {
        ArgumentNullException.ThrowIfNull(pool);
        return Keep(_pools?.Budget is { } budget ? budget.LeaseMemory(pool, length) : pool.LeaseMemory(length)).Memory;
    }

    /// <summary>As <see cref="Lease{T}(int)"/>, and waits until the budget of the requests has room.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="length">The length, in elements.</param>
    /// <param name="cancellation">Ends the wait, as <c>HttpContext.RequestAborted</c> should.</param>
    /// <returns>The memory. The request owns it: do not use it after the request.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">The memory is larger than the whole budget.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public async ValueTask<Memory<T>> LeaseAsync<T>(int length, CancellationToken cancellation = default)
    {
        if (_pools?.Budget is not { } budget)
        {
            cancellation.ThrowIfCancellationRequested();
            return Lease<T>(length);
        }

        return Keep(await budget.LeaseMemoryAsync(_pools.Find<T>(), length, cancellation).ConfigureAwait(false)).Memory;
    }

    /// <summary>Creates a stream that is disposed when the request ends. You may dispose it earlier.</summary>
    /// <param name="capacity">The bytes to have room for at once.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public PooledMemoryStream CreateStream(long capacity = 0) =>
        Keep(_pools is null ? new PooledMemoryStream(capacity) : new PooledMemoryStream(_pools.Streams, capacity));

    /// <summary>Returns everything. The request's services call it; a second call does nothing.</summary>
    public void Dispose()
    {
        List<IDisposable>? leases;
        lock (_lock)
        {
            leases = _leases;
            _leases = null;
        }

        foreach (IDisposable lease in leases ?? [])
        {
            lease.Dispose();
        }
    }

    /// <summary>Notes a lease for the end, or ends it at once if the request has ended meanwhile.</summary>
    private TLease Keep<TLease>(TLease lease)
        where TLease : IDisposable
    {
        lock (_lock)
        {
            if (_leases is not null)
            {
                _leases.Add(lease);
                return lease;
            }
        }

        lease.Dispose();
        throw new ObjectDisposedException(
            nameof(RequestBuffers), "The request has ended, and its buffers are back. Lease from BufferPool<T>.Shared for longer work.");
    }
}
