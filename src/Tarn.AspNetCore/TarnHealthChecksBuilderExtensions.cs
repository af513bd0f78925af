using Microsoft.Extensions.Diagnostics.HealthChecks;
using Tarn;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds Tarn's health check.</summary>
public static class TarnHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds a check that degrades while the blocks in use by a server are near the cap, or beyond it, and while a request has waited for
    /// <see cref="TarnServerOptions.RequestBudget"/> longer than half of <see cref="TarnServerOptions.RequestBudgetTimeout"/>.
    /// </summary>
    /// <param name="builder">The health checks of an application that called <c>AddTarn</c>.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">The status near the cap, and while requests wait long.</param>
    /// <param name="tags">Tags to select checks by.</param>
    /// <param name="degradedAbove">
    /// The share of the room for blocks in use, above 0 and at most 1, above which the check reports
    /// <paramref name="failureStatus"/>. That room is half of <see cref="TarnServerOptions.MaxPooledBytes"/>.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> or <paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="degradedAbove"/> is not above 0 and at most 1.</exception>
    public static IHealthChecksBuilder AddTarn(
        this IHealthChecksBuilder builder,
        string name = "tarn",
        HealthStatus failureStatus = HealthStatus.Degraded,
        IEnumerable<string>? tags = null,
        double degradedAbove = 0.9)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(name);
        if (!(degradedAbove is > 0 and <= 1))
        {
            throw new ArgumentOutOfRangeException(nameof(degradedAbove), degradedAbove, "The share must be above 0 and at most 1.");
        }

        return builder.Add(new HealthCheckRegistration(
            name,
            services => new ServerHealthCheck(
                services.GetRequiredService<ServerMemoryPoolFactory>(), services.GetRequiredService<RequestPools>(), degradedAbove),
            failureStatus,
            tags));
    }
}
