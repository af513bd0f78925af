using System.Buffers;
using System.Runtime.ExceptionServices;
using Microsoft.AspNetCore.Http;

namespace Tarn;

/// <summary>Buffers and streams that last as long as a request: they return to their pools when the request's services end.</summary>
/// <remarks>
/// <para>It is a scoped service. ASP.NET Core disposes the request's services after the response was sent, after an exception, and after
/// the client went away. Outside requests, the scope is the one that the service was taken from.</para>
/// <para>A copy of the memory that outlives the request throws <see cref="ObjectDisposedException"/> when it is used. Memory that an
/// operation still pins returns when the operation ends. All members are safe to call from any thread.</para>
/// <para>With <see cref="TarnServerOptions.RequestBudget"/> some calls wait for room: <see cref="LeaseAsync"/>,
/// <see cref="CreateStreamAsync"/> and the asynchronous writes of streams. A wait ends after
/// <see cref="TarnServerOptions.RequestBudgetTimeout"/> with a <see cref="BufferBudgetExceededException"/>. It ends earlier when the
/// request is aborted, which the end of its connection and of the host do, and when the request ends.</para>
/// </remarks>
public sealed class RequestBuffers : IDisposable
{
    private readonly RequestPools? _pools;
    private readonly Lock _lock = new();

    /// <summary>What to dispose at the end; null after the end. Guarded by the lock.</summary>
    private List<IDisposable>? _leases = [];

    /// <summary>The request, in a server with a budget. Guarded by the lock.</summary>
    private HttpContext? _request;

    /// <summary>Ends the waits for the budget, with the request or its abort. Null before the first. Guarded by the lock.</summary>
    private CancellationTokenSource? _ending;

    /// <summary>The options of the request's streams, if there is a budget. Guarded by the lock.</summary>
    private PooledMemoryStreamOptions? _streams;

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
    /// <param name="cancellationToken">Ends the wait, beside what ends it anyway.</param>
    /// <returns>The memory. The request owns it: do not use it after the request.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The budget had no room within <see cref="TarnServerOptions.RequestBudgetTimeout"/>, or never has so much.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled, or the request was aborted.</exception>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public async ValueTask<Memory<T>> LeaseAsync<T>(int length, CancellationToken cancellationToken = default)
    {
        if (_pools?.Budget is not { } budget)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return Lease<T>(length);
        }

        CancellationToken end = BeginWaits();
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(end, cancellationToken);
        try
        {
            return Keep(await budget.LeaseMemoryAsync(_pools.Find<T>(), length, _pools.Timeout, either.Token).ConfigureAwait(false)).Memory;
        }
        catch (OperationCanceledException e)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw (Exception?)Ended() ?? new OperationCanceledException(e.Message, e, end);
        }
    }

    /// <summary>Creates a stream that is disposed when the request ends. You may dispose it earlier.</summary>
    /// <param name="capacity">The bytes to have room for at once.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// <see cref="TarnServerOptions.RequestBudget"/> has no room for the capacity.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public PooledMemoryStream CreateStream(long capacity = 0) =>
        Keep(_pools is null ? new PooledMemoryStream(capacity) : new PooledMemoryStream(FindStreams(_pools), capacity));

    /// <summary>As <see cref="CreateStream"/>, and waits until the budget of the requests has room for the capacity.</summary>
    /// <remarks>
    /// A request that holds nothing while it waits keeps no other waiting. So take the memory that a request needs at once, if you know how
    /// much that is.
    /// </remarks>
    /// <param name="capacity">The bytes to have room for at once.</param>
    /// <param name="cancellationToken">Ends the wait, beside what ends it anyway.</param>
    /// <returns>The stream.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The budget had no room within <see cref="TarnServerOptions.RequestBudgetTimeout"/>, or never has so much.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled, or the request was aborted.</exception>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public async ValueTask<PooledMemoryStream> CreateStreamAsync(long capacity, CancellationToken cancellationToken = default)
    {
        if (_pools?.Budget is null)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return CreateStream(capacity);
        }

        try
        {
            return Keep(await PooledMemoryStream.CreateAsync(FindStreams(_pools), capacity, cancellationToken).ConfigureAwait(false));
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested && Ended() is { } ended)
        {
            throw ended;
        }
    }

    /// <summary>
    /// Ends the waits of the request, and returns everything. The request's services call it; a second call does nothing.
    /// </summary>
    public void Dispose()
    {
        List<IDisposable>? leases;
        CancellationTokenSource? ending;
        lock (_lock)
        {
            (leases, _leases) = (_leases, null);
            (ending, _ending) = (_ending, null);
            (_request, _streams) = (null, null);
        }

        ExceptionDispatchInfo? failure = null;
        foreach (IDisposable lease in leases ?? [])
        {
            try
            {
                lease.Dispose();
            }
            catch (Exception e)
            {
                // A pool with checks has found a second return. The others must return all the same.
                failure ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        // After the streams, so that their calls say that they were disposed.
        ending?.Cancel();
        ending?.Dispose();
        failure?.Throw();
    }

    /// <summary>Lets the abort of a request end the waits of its buffers.</summary>
    internal void Follow(HttpContext request)
    {
        lock (_lock)
        {
            _request = request;
        }
    }

    private PooledMemoryStreamOptions FindStreams(RequestPools pools)
    {
        if (pools.Budget is null)
        {
            return pools.Streams;
        }

        lock (_lock)
        {
            return _streams ??= pools.StreamsUntil(BeginWaits());
        }
    }

    /// <summary>Returns what ends the waits of the request.</summary>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    private CancellationToken BeginWaits()
    {
        lock (_lock)
        {
            if (_leases is null)
            {
                throw Ended()!;
            }

            _ending ??= CancellationTokenSource.CreateLinkedTokenSource(_request?.RequestAborted ?? CancellationToken.None);
            return _ending.Token;
        }
    }

    /// <summary>The exception of calls after the end; null before it.</summary>
    private ObjectDisposedException? Ended()
    {
        lock (_lock)
        {
            return _leases is not null
                ? null
                : new ObjectDisposedException(
                    nameof(RequestBuffers),
                    "The request has ended, and its buffers are back. Lease from BufferPool<T>.Shared for longer work.");
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
        throw Ended()!;
    }
}
