using System.Buffers;
using System.Collections.Concurrent;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Tarn;

/// <summary>Accepts connections for Kestrel, and looks whether the processes at their other sides still run.</summary>
internal sealed partial class SharedMemoryListener : IConnectionListener
{
    private static readonly TimeSpan s_betweenLooks = TimeSpan.FromSeconds(1);

    private readonly SharedMemoryEndPoint _endPoint;
    private readonly SharedPipeListener _listener;
    private readonly MemoryPool<byte> _pool;
    private readonly ILogger _logger;
    private readonly ConcurrentDictionary<SharedMemoryConnection, bool> _connections = [];
    private readonly Timer _looks;
    private readonly CancellationTokenSource _unbound = new();

    internal SharedMemoryListener(SharedMemoryEndPoint endPoint, SharedPipeListener listener, MemoryPool<byte> pool, ILogger logger)
    {
        (_endPoint, _listener, _pool, _logger) = (endPoint, listener, pool, logger);
        _looks = new Timer(static self => ((SharedMemoryListener)self!).Look(), this, s_betweenLooks, s_betweenLooks);
    }

    /// <inheritdoc/>
    public EndPoint EndPoint => _endPoint;

    /// <inheritdoc/>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _unbound.Token);
        try
        {
            SharedPipe pipe = await _listener.AcceptAsync(either.Token).ConfigureAwait(false);
            SharedMemoryConnection connection = new(this, pipe, _endPoint, _pool);
            _connections[connection] = true;
            return connection;
        }
        catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException && _unbound.IsCancellationRequested)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public async ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        await _unbound.CancelAsync().ConfigureAwait(false);
        _listener.Dispose();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await UnbindAsync().ConfigureAwait(false);
        await _looks.DisposeAsync().ConfigureAwait(false);
        foreach (SharedMemoryConnection connection in _connections.Keys)
        {
            await connection.DisposeAsync().ConfigureAwait(false);
        }

        _pool.Dispose();
        _unbound.Dispose();
    }

    internal void Forget(SharedMemoryConnection connection) => _connections.TryRemove(connection, out _);

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

    [LoggerMessage(1, LogLevel.Debug, "The client of the connection {ConnectionId} has gone.")]
    private partial void LogLost(string connectionId);
}
