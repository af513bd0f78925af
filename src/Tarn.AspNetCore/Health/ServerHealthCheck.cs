using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Tarn;

/// <summary>
/// Degrades while the blocks of a server are near their cap, or beyond it, and while a request waits long for the budget of all requests.
/// </summary>
internal sealed class ServerHealthCheck(ServerMemoryPoolFactory factory, RequestPools requests, double degradedAbove) : IHealthCheck
{
    /// <summary>The part of the longest wait from which a wait is long: what is worse becomes a refusal.</summary>
    private const int LongDivisor = 2;

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

        List<string> faults = [.. pools.Where(IsNear).Select(Describe)];
        if (requests.Budget is { } budget)
        {
            TimeSpan oldestWait = budget.OldestWait;
            data["budget.limit_bytes"] = budget.Limit;
            data["budget.in_use_bytes"] = budget.InUse;
            data["budget.waiting"] = budget.Waiting;
            data["budget.oldest_wait_seconds"] = oldestWait.TotalSeconds;
            data["budget.refused"] = budget.Refused;
            if (oldestWait > requests.Timeout / LongDivisor)
            {
                faults.Add(Describe(budget, oldestWait));
            }
        }

        return Task.FromResult(faults.Count == 0
            ? HealthCheckResult.Healthy("The blocks of all servers are within their caps, and no request waits long for memory.", data)
            : new HealthCheckResult(context.Registration.FailureStatus, string.Join(" ", faults), exception: null, data));
    }

    private bool IsNear(BlockPoolSnapshot pool) => pool.UsedShare > degradedAbove || pool.UnpooledInUseBytes > 0;

    private static string Describe(BlockPoolSnapshot pool) => string.Create(
        CultureInfo.InvariantCulture,
        $"The blocks of {pool.Owner} use {pool.InUseBytes} of {pool.MaxInUseBytes} bytes, and {pool.UnpooledInUseBytes} beyond the cap. "
        + $"Fewer connections or a larger {nameof(TarnServerOptions.MaxPooledBytes)} would help.");

    private static string Describe(BufferBudget budget, TimeSpan oldestWait) => string.Create(
        CultureInfo.InvariantCulture,
        $"A request has waited {oldestWait.TotalSeconds:F1} s for the budget {budget.Name}, of which {budget.InUse} of {budget.Limit} "
        + $"bytes are in use; {budget.Waiting} wait. "
        + $"Fewer requests at once or a larger {nameof(TarnServerOptions.RequestBudget)} would help.");
}
