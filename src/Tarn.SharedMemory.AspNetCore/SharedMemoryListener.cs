using System.Buffers;
using System.Collections.Concurrent;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Tarn.SharedMemory.AspNetCore;

/// <summary>Accepts connections for Kestrel, and looks whether the processes at their other sides still run.</summary>
/// <remarks>
/// Kestrel ends its loop for good when <see cref="AcceptAsync"/> throws. So a failure is logged, and the next attempt follows; a listener
/// whose queue another process spoiled is replaced.
/// </remarks>
internal sealed partial class SharedMemoryListener : IConnectionListener
{
    private static readonly TimeSpan s_betweenLooks = TimeSpan.FromSeconds(1);

    private readonly SharedMemoryEndPoint _endPoint;
    private readonly MemoryPool<byte> _pool;
    private readonly ILogger _logger;
    private readonly ConcurrentDictionary<SharedMemoryConnection, bool> _connections = [];
    private readonly Timer _looks;
    private readonly CancellationTokenSource _unbound = new();
    private readonly Lock _lock = new();
    private SharedPipeListener _listener;
    private int _isDisposed;

    internal SharedMemoryListener(SharedMemoryEndPoint endPoint, SharedPipeListener listener, MemoryPool<byte> pool, ILogger logger)
    {
        (_endPoint, _listener, _pool, _logger) = (endPoint, listener, pool, logger);
        _listener.Refused += LogRefused;
        _looks = new Timer(static self => ((SharedMemoryListener)self!).Look(), this, s_betweenLooks, s_betweenLooks);
    }

    /// <inheritdoc/>
    public EndPoint EndPoint => _endPoint;

    /// <summary>How long nothing is accepted after a failure. Tests change it.</summary>
    internal static TimeSpan PauseAfterFailure { get; set; } = TimeSpan.FromSeconds(1);

    /// <inheritdoc/>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _unbound.Token);
        while (true)
        {
            try
            {
                SharedPipe pipe = await _listener.AcceptAsync(either.Token).ConfigureAwait(false);
                return await KeepAsync(new SharedMemoryConnection(this, pipe, _endPoint, _pool)).ConfigureAwait(false);
            }
            catch (Exception e) when (e is OperationCanceledException || (e is ObjectDisposedException && _unbound.IsCancellationRequested))
            {
                return null;
            }
#pragma warning disable CA1031 // it is logged, and the next client is not to suffer for it
            catch (Exception e)
#pragma warning restore CA1031
            {
                LogFailed(_endPoint.Name, e);
                if (!await TryGoOnAsync(e, either.Token).ConfigureAwait(false))
                {
                    return null;
                }
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        await _unbound.CancelAsync().ConfigureAwait(false);
        using (_lock.EnterScope())
        {
            _listener.Dispose();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        await UnbindAsync().ConfigureAwait(false);
        await _looks.DisposeAsync().ConfigureAwait(false);
        try
        {
            await Task.WhenAll(_connections.Keys.Select(static connection => connection.DisposeAsync().AsTask())).ConfigureAwait(false);
        }
        finally
        {
            _pool.Dispose();
        }
    }

    internal void Forget(SharedMemoryConnection connection) => _connections.TryRemove(connection, out _);

    /// <summary>Keeps a connection until it ends; ends it at once if this was disposed meanwhile.</summary>
    private async ValueTask<ConnectionContext?> KeepAsync(SharedMemoryConnection connection)
    {
        _connections[connection] = true;
        if (Volatile.Read(ref _isDisposed) == 0)
        {
            return connection;
        }

        await connection.DisposeAsync().ConfigureAwait(false);
        return null;
    }

    /// <summary>Pauses after a failure, and replaces a listener that is spoiled; false if this was unbound.</summary>
    private async ValueTask<bool> TryGoOnAsync(Exception failure, CancellationToken cancellationToken)
    {
        try
        {
            await Task.Delay(PauseAfterFailure, cancellationToken).ConfigureAwait(false);
            if (failure is InvalidDataException or ObjectDisposedException)
            {
                Replace();
            }
        }
        catch (OperationCanceledException)
        {
            return false;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or OutOfMemoryException)
        {
            // The next attempt fails as well, and comes here again.
            LogFailed(_endPoint.Name, e);
        }

        return true;
    }

    private void Replace()
    {
        using (_lock.EnterScope())
        {
            if (!_unbound.IsCancellationRequested)
            {
                _listener.Dispose();
                _listener = SharedPipeListener.Create(_endPoint.Name, _endPoint.Options);
                _listener.Refused += LogRefused;
            }
        }
    }

    /// <summary>A server that works on a request reads nothing meanwhile, and so does not hear that the client has gone.</summary>
    private void Look()
    {
        foreach (SharedMemoryConnection connection in _connections.Keys)
        {
            if (connection.HasLostPeer)
            {
                LogLost(connection.ConnectionId);
                connection.Abort(new ConnectionAbortedException("The client has closed the connection, or its process has ended."));
            }
        }
    }

    private void LogRefused(object? sender, Exception reason) => LogRefused(_endPoint.Name, reason);

    [LoggerMessage(1, LogLevel.Debug, "The client of the connection {ConnectionId} has gone.")]
    private partial void LogLost(string connectionId);

    [LoggerMessage(2, LogLevel.Warning, "A client of the shared memory at {Name} was refused, and told why.")]
    private partial void LogRefused(string name, Exception reason);

    [LoggerMessage(3, LogLevel.Error, "The shared memory at {Name} cannot be listened at. Another attempt follows.")]
    private partial void LogFailed(string name, Exception failure);
}
