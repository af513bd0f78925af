using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Health;

public sealed class HealthTests : IDisposable
{
    private const int LargeBlocks = 6;

    private readonly ServiceProvider _services = new ServiceCollection()
        .AddLogging()
        .AddTarn(static options => (options.MaxPooledBytes, options.Checks) = (1 << 20, BufferChecks.None))
        .AddHealthChecks().AddTarn().AddTarn("early", HealthStatus.Unhealthy, ["early"], degradedAbove: 0.5)
        .Services.BuildServiceProvider();

    [Fact]
    public async Task It_degrades_near_the_cap_and_beyond_it_and_recovers()
    {
        Assert.Equal(HealthStatus.Healthy, (await Check("tarn")).Status);
        ServerMemoryPoolFactory factory = _services.GetRequiredService<ServerMemoryPoolFactory>();
        factory.Create(new MemoryPoolOptions { Owner = "kestrel" });
        BlockPool pool = Assert.Single(factory.GetPools());

        List<Block> blocks = [.. Enumerable.Range(0, LargeBlocks).Select(_ => pool.Rent(-1))];
        Assert.Equal(HealthStatus.Healthy, (await Check("tarn")).Status);
        Assert.Equal(HealthStatus.Unhealthy, (await Check("early")).Status);

        while (pool.GetSnapshot().UsedShare <= 0.9)
        {
            blocks.Add(pool.Rent(-1));
        }

        HealthReportEntry near = await Check("tarn");
        Assert.Equal(HealthStatus.Degraded, near.Status);
        Assert.StartsWith("The blocks of kestrel use 4", near.Description, StringComparison.Ordinal);
        Assert.Equal(1L << 19, near.Data["kestrel.limit_bytes"]);

        while (pool.GetSnapshot().Unpooled == 0)
        {
            blocks.Add(pool.Rent(-1));
        }

        Assert.Contains("and 4096 beyond the cap", (await Check("tarn")).Description, StringComparison.Ordinal);
        Block beyond = blocks[^1];
        blocks.SkipLast(1).ToList().ForEach(block => block.Dispose());
        Assert.Equal(HealthStatus.Degraded, (await Check("tarn")).Status);
        beyond.Dispose();
        Assert.Equal(HealthStatus.Healthy, (await Check("tarn")).Status);
    }

    [Fact]
    public async Task It_degrades_while_a_request_waits_long_and_recovers()
    {
        BufferBudget budget = new(1_000, "requests");
        using ServiceProvider services = new ServiceCollection()
            .AddLogging()
            .AddTarn(options => (options.RequestBudget, options.RequestBudgetTimeout) = (budget, TimeSpan.FromMilliseconds(1)))
            .AddHealthChecks().AddTarn()
            .Services.BuildServiceProvider();
        HealthCheckService health = services.GetRequiredService<HealthCheckService>();
        budget.Take(1_000);
        Assert.Equal(HealthStatus.Healthy, (await health.CheckHealthAsync()).Status);

        Task waiting = budget.TakeAsync(600).AsTask();
        await Eventually.Holds(
            () => budget.OldestWait > TimeSpan.FromMilliseconds(1), "a request waits longer than half of a request's longest wait");
        HealthReportEntry degraded = (await health.CheckHealthAsync()).Entries["tarn"];
        Assert.Equal(HealthStatus.Degraded, degraded.Status);
        Assert.EndsWith(
            " s for the budget requests, of which 1000 of 1000 bytes are in use; 1 wait. Fewer requests at once or a larger RequestBudget "
            + "would help.",
            degraded.Description,
            StringComparison.Ordinal);
        Assert.Equal(1, degraded.Data["budget.waiting"]);

        budget.Return(1_000);
        await waiting;
        Assert.Equal(HealthStatus.Healthy, (await health.CheckHealthAsync()).Status);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1.01)]
    [InlineData(double.NaN)]
    public void A_share_out_of_range_is_refused(double share) => Assert.Throws<ArgumentOutOfRangeException>(
        "degradedAbove", () => new ServiceCollection().AddHealthChecks().AddTarn(degradedAbove: share));

    public void Dispose() => _services.Dispose();

    private async Task<HealthReportEntry> Check(string name) =>
        (await _services.GetRequiredService<HealthCheckService>().CheckHealthAsync(one => one.Name == name)).Entries[name];
}
