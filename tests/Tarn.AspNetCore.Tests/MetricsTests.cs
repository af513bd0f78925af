using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.DependencyInjection;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using Tarn.Diagnostics;
using Tarn.Tests.Tidy;

namespace Tarn.AspNetCore.Tests;

public class MetricsTests
{
    [Fact]
    public void OpenTelemetry_exports_every_documented_metric_with_its_unit_and_owner()
    {
        List<Metric> exported = [];
        BufferBudget budget = new(1 << 20, "exported");
        using MeterProvider provider = Sdk.CreateMeterProviderBuilder()
            .AddMeter(BufferDiagnostics.MeterName, TarnServerMetrics.MeterName)
            .AddInMemoryExporter(exported)
            .Build();
        using ServiceProvider services = new ServiceCollection()
            .AddTarn(static options => (options.MaxPooledBytes, options.Checks) = (1 << 20, BufferChecks.None))
            .BuildServiceProvider();
        ServerMemoryPoolFactory factory = services.GetRequiredService<ServerMemoryPoolFactory>();
        factory.Create(new MemoryPoolOptions { Owner = "exported" });
        Block[] blocks = [.. Enumerable.Range(0, 200).Select(_ => Assert.Single(factory.GetPools()).Rent(-1))];
        new PooledMemoryStream().Dispose();

        Assert.True(provider.ForceFlush());

        Dictionary<string, string> units = exported
            .DistinctBy(static metric => metric.Name)
            .ToDictionary(static metric => metric.Name, static metric => metric.Unit);
        Assert.All(Documented(), row => Assert.Equal(row.Unit, units.GetValueOrDefault(row.Name)));
        Assert.Equal(Documented().Select(row => row.Name).Order(), units.Keys.Order());
        Assert.Equal(1 << 20, Value(exported, "tarn.server.blocks.limit"));
        Assert.Equal(1 << 19, Value(exported, "tarn.server.blocks.in_use"));
        Assert.Equal(200 - 6 - 32, Value(exported, "tarn.server.blocks.unpooled"));
        Assert.Equal((200 - 6 - 32) * 4096, Value(exported, "tarn.server.blocks.unpooled_in_use"));
        Array.ForEach(blocks, block => block.Dispose());
        GC.KeepAlive(budget);
    }

    private static long Value(List<Metric> exported, string name)
    {
        // Servers of other tests have meters of the same name.
        foreach (Metric metric in exported.Where(metric => metric.Name == name))
        {
            foreach (ref readonly MetricPoint point in metric.GetMetricPoints())
            {
                foreach (KeyValuePair<string, object?> tag in point.Tags)
                {
                    if (tag is { Key: "aspnetcore.memory_pool.owner", Value: "exported" })
                    {
                        return point.GetSumLong();
                    }
                }
            }
        }

        return -1;
    }

    /// <summary>The rows of the documentation's table of metrics: name, unit.</summary>
    private static IEnumerable<(string Name, string Unit)> Documented() =>
        from line in File.ReadLines(Repository.At("docs/aspnetcore.md"))
        where line.StartsWith("| `tarn.", StringComparison.Ordinal)
        let cells = line.Split('|')
        select (cells[1].Trim(' ', '`'), cells[2].Trim(' ', '`'));
}
