using System.Buffers;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace Tarn.SharedMemory.AspNetCore;

/// <summary>A connection of Kestrel over the two rings of a <see cref="SharedPipe"/>, in which it reads and writes in place.</summary>
internal sealed class SharedMemoryConnection : DefaultConnectionContext, IMemoryPoolFeature
{
    private readonly SharedMemoryListener _listener;
    private readonly SharedPipe _pipe;
    /// <summary>Has nothing to dispose; and the base class cancels its own on a thread that may come after the disposal.</summary>
    private readonly CancellationTokenSource _closed = new();
    private int _isDisposed;

    internal SharedMemoryConnection(SharedMemoryListener listener, SharedPipe pipe, SharedMemoryEndPoint endPoint, MemoryPool<byte> pool)
        : base($"{endPoint.Name}-{Guid.NewGuid():N}")
    {
        (_listener, _pipe, MemoryPool) = (listener, pipe, pool);
        Transport = pipe;
        ConnectionClosed = _closed.Token;
        LocalEndPoint = endPoint;
        Features.Set<IMemoryPoolFeature>(this);
    }

    /// <inheritdoc/>
    public MemoryPool<byte> MemoryPool { get; }

    /// <summary>Whether the client has closed both directions, or its process has ended.</summary>
    internal bool HasLostPeer => !_closed.IsCancellationRequested && _pipe.PeerProcessId == 0;

    /// <inheritdoc/>
    public override void Abort(ConnectionAbortedException abortReason)
    {
        // Kestrel has not always a reason, and believes in one.
        _pipe.Abort(abortReason ?? new ConnectionAbortedException());
        ThreadPool.UnsafeQueueUserWorkItem(static closed => closed.Cancel(), _closed, preferLocal: false);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        _listener.Forget(this);
        try
        {
            await _pipe.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            try
            {
                // Callbacks of whoever serves the connection may throw.
                await _closed.CancelAsync().ConfigureAwait(false);
            }
            finally
            {
                await base.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}
