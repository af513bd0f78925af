using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Tarn;

/// <summary>Degrades while the blocks of a server are near their cap, or beyond it.</summary>
internal sealed class BlockPoolHealthCheck(ServerMemoryPoolFactory factory, double degradedAbove) : IHealthCheck
{
    /// <inheritdoc/>
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        BlockPoolSnapshot[] pools = factory.GetSnapshots();
        Dictionary<string, object> data = [];
        foreach (BlockPoolSnapshot pool in pools)
        {
            data[$"{pool.Owner}.limit_bytes"] = pool.MaxInUseBytes;
            data[$"{pool.Owner}.in_use_bytes"] = pool.InUseBytes;
            data[$"{pool.Owner}.unpooled_in_use_bytes"] = pool.UnpooledInUseBytes;
        }

        string[] near = [.. pools.Where(IsNear).Select(Describe)];
        return Task.FromResult(near.Length == 0
            ? HealthCheckResult.Healthy("The blocks of all servers are within their caps.", data)
            : new HealthCheckResult(context.Registration.FailureStatus, string.Join(" ", near), exception: null, data));
    }

    private bool IsNear(BlockPoolSnapshot pool) => pool.UsedShare > degradedAbove || pool.UnpooledInUseBytes > 0;

    private static string Describe(BlockPoolSnapshot pool) => string.Create(
        CultureInfo.InvariantCulture,
        $"The blocks of {pool.Owner} use {pool.InUseBytes} of {pool.MaxInUseBytes} bytes, and {pool.UnpooledInUseBytes} beyond the cap. "
        + $"Fewer connections or a larger {nameof(TarnServerOptions.MaxPooledBytes)} would help.");
}
