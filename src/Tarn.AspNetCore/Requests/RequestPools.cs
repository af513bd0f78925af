using System.Collections.Concurrent;

namespace Tarn;

/// <summary>
/// The pools that <see cref="RequestBuffers"/> leases from: one for each element type, with the timeout and cap of the options.
/// </summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class RequestPools(TarnServerOptions options)
{
    private readonly ConcurrentDictionary<Type, object> _pools = new();

    /// <summary>What <see cref="RequestBuffers.CreateStream"/> passes to streams.</summary>
    internal PooledMemoryStreamOptions Streams => field ??= new PooledMemoryStreamOptions { Pool = Find<byte>(), Budget = Budget };

    /// <summary>The budget of all requests, if there is one.</summary>
    internal BufferBudget? Budget => options.RequestBudget;

    internal BufferPool<T> Find<T>() => (BufferPool<T>)_pools.GetOrAdd(
        typeof(T),
        static (type, options) => BufferPool<T>.Create(options.ForArrays($"requests.{type.Name}", options.MaxPooledBytes)),
        options);
}
