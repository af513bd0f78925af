using System.Buffers;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Tarn.SharedMemory.AspNetCore;

/// <summary>Makes the listeners of <see cref="SharedMemoryEndPoint"/>, and of no other end point.</summary>
internal sealed class SharedMemoryListenerFactory(IMemoryPoolFactory<byte> pools, ILoggerFactory loggers)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    /// <inheritdoc/>
    public bool CanBind(EndPoint endpoint) => endpoint is SharedMemoryEndPoint;

    /// <inheritdoc/>
    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        if (endpoint is not SharedMemoryEndPoint named)
        {
            throw new NotSupportedException($"{nameof(SharedMemoryEndPoint)} is the only end point of shared memory, and not {endpoint}.");
        }

        SharedPipeListener listener;
        try
        {
            listener = SharedPipeListener.Create(named.Name, named.Options);
        }
        catch (IOException e)
        {
            throw new AddressInUseException(e.Message, e);
        }

        try
        {
            MemoryPool<byte> pool = pools.Create(new MemoryPoolOptions { Owner = "shared-memory" });
            return ValueTask.FromResult<IConnectionListener>(
                new SharedMemoryListener(named, listener, pool, loggers.CreateLogger<SharedMemoryListener>()));
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }
}
