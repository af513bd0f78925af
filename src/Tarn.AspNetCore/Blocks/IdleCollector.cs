using Microsoft.Extensions.Hosting;

namespace Tarn;

/// <summary>
/// Collects garbage after servers' pools gave up much memory and are hardly used any more, because nothing else would: memory that a
/// pool gave up is resident until a collection, and an idle server allocates too little to cause one.
/// </summary>
/// <remarks>
/// It looks at the pools' counters every half idle timeout. It collects when the bytes of all pools have fallen by
/// <see cref="LeastBytes"/> and by half since their peak, and fewer than <see cref="FewRents"/> blocks a second are rented. Afterwards the
/// peak begins anew. Pools give up a burst's blocks over several looks, so a burst causes a few collections: each finds half of what the
/// last one left. One alone would leave up to half of the burst resident.
/// </remarks>
internal sealed class IdleCollector(
    ServerMemoryPoolFactory factory, TarnServerOptions options, TimeProvider time, Action collect)
    : IHostedService, IDisposable
{
    /// <summary>What a pool must have given up at least, in bytes.</summary>
    internal const long LeastBytes = 2 << 20;

    /// <summary>The blocks rented a second, up to which a server counts as idle.</summary>
    internal const int FewRents = 50;

    /// <summary>The managed heap up to which a collection may stop all threads.</summary>
    private const long SmallHeapBytes = 256 << 20;

    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(1);

    private ITimer? _timer;
    private long _peak;
    private long _rented;
    private long _lookedAt;

    public IdleCollector(ServerMemoryPoolFactory factory, TarnServerOptions options)
        : this(factory, options, TimeProvider.System, Collect)
    {
    }

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (options.CollectWhenIdle && options.IdleTimeout != Timeout.InfiniteTimeSpan)
        {
            TimeSpan period = options.IdleTimeout / 2 < s_shortest ? s_shortest : options.IdleTimeout / 2;
            _lookedAt = time.GetTimestamp();
            _timer = time.CreateTimer(static collector => ((IdleCollector)collector!).Look(), this, period, period);
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    public void Dispose() => _timer?.Dispose();

    /// <summary>Looks at the counters of all pools and collects if they show a burst that has ended.</summary>
    internal void Look()
    {
        BlockPool[] pools = factory.GetPools();
        BlockPoolSnapshot[] snapshots = Array.ConvertAll(pools, static pool => pool.GetSnapshot());
        long held = snapshots.Sum(static pool => pool.InUseBytes + pool.RetainedBytes);
        long rented = snapshots.Sum(static pool => pool.Rented + pool.Unpooled);
        bool isIdle = rented - _rented <= FewRents * time.GetElapsedTime(_lookedAt).TotalSeconds;
        _rented = rented;
        _lookedAt = time.GetTimestamp();
        _peak = Math.Max(_peak, held);
        if (isIdle && _peak - held >= LeastBytes && held <= _peak / 2)
        {
            _peak = held;
            Array.ForEach(pools, static pool => pool.TrimOwners());
            collect();
        }
    }

    /// <summary>
    /// Collects. Only an aggressive collection returns memory to the system at once, and it stops all threads: tens of milliseconds for a
    /// small heap. A large heap is collected in the background, and returns its memory when the collector sees fit.
    /// </summary>
    private static void Collect()
    {
        bool isSmall = GC.GetTotalMemory(forceFullCollection: false) <= SmallHeapBytes;
        GC.Collect(
            GC.MaxGeneration, isSmall ? GCCollectionMode.Aggressive : GCCollectionMode.Forced, blocking: isSmall, compacting: isSmall);
    }
}
