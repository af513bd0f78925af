using Microsoft.Extensions.Hosting;

namespace Tarn;

/// <summary>
/// Lets pools collect their garbage in an idle process when the application starts, and drops the owners of blocks that a burst has left
/// behind, so that the collection finds them.
/// </summary>
internal sealed class IdleCollector(ServerMemoryPoolFactory factory, TarnServerOptions options, TimeProvider time)
    : IHostedService, IDisposable
{
    /// <summary>The switch that docs/array-pool.md describes.</summary>
    private const string SwitchName = "Tarn.IdleCollection";

    private static readonly TimeSpan s_shortest = TimeSpan.FromSeconds(1);

    /// <summary>No timer waits longer than 49 days.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(1);

    private ITimer? _timer;

    public IdleCollector(ServerMemoryPoolFactory factory, TarnServerOptions options)
        : this(factory, options, TimeProvider.System)
    {
    }

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        if (options.CollectWhenIdle)
        {
            AppContext.SetSwitch(SwitchName, true);
        }

        if (options.IdleTimeout != Timeout.InfiniteTimeSpan)
        {
            TimeSpan period = TimeSpan.FromTicks(Math.Clamp(options.IdleTimeout.Ticks / 2, s_shortest.Ticks, s_longest.Ticks));
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

    private void Look() => Array.ForEach(factory.GetPools(), static pool => pool.TrimOwners());
}
