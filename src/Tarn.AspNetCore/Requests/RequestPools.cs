using System.Collections.Concurrent;

namespace Tarn;

/// <summary>
/// The pools that <see cref="RequestBuffers"/> leases from: one for each element type, with the timeout and cap of the options.
/// </summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class RequestPools(TarnServerOptions options)
{
    private readonly ConcurrentDictionary<Type, object> _pools = new();
    private long _timeout = options.RequestBudgetTimeout.Ticks;

    /// <summary>The options of streams without a budget, which all requests share.</summary>
    internal PooledMemoryStreamOptions Streams => field ??= new PooledMemoryStreamOptions { Pool = Find<byte>() };

    /// <summary>The budget of all requests, if there is one.</summary>
    internal BufferBudget? Budget => options.RequestBudget;

    /// <summary>The longest wait for it.</summary>
    internal TimeSpan Timeout => TimeSpan.FromTicks(Volatile.Read(ref _timeout));

    /// <summary>The options of the streams of one request, whose waits for the budget end with it.</summary>
    internal PooledMemoryStreamOptions StreamsUntil(CancellationToken end) => new()
    {
        Pool = Find<byte>(),
        Budget = Budget,
        AsyncBudgetTimeout = Timeout,
        BudgetCancellationToken = end,
    };

    /// <summary>Changes the longest wait of requests that come later.</summary>
    internal void ChangeTimeout(TimeSpan timeout) => Volatile.Write(ref _timeout, timeout.Ticks);

    internal BufferPool<T> Find<T>() => (BufferPool<T>)_pools.GetOrAdd(
        typeof(T),
        static (type, options) => BufferPool<T>.Create(options.ForArrays($"requests.{type.Name}", options.MaxPooledBytes)),
        options);
}
