using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Tarn.Integrations.Tests.Recipes;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>An entry is read that the cache keeps in this process.</summary>
internal sealed class HybridClient : PayloadClient
{
    private readonly ServiceProvider _services;
    private readonly HybridCache _cache;

    public HybridClient()
    {
        ServiceCollection services = new();
        services.AddHybridCache(static options => options.MaximumPayloadBytes = 16 << 20)
            .AddSerializer<OwnedSequence<byte>>(new HybridRecipes.PooledBytes(new PooledMemoryStreamOptions()));
        _services = services.BuildServiceProvider();
        _cache = _services.GetRequiredService<HybridCache>();
    }

    internal override async Task UsualAsync() =>
        AssertArrived(await _cache.GetOrCreateAsync("array", _ => ValueTask.FromResult(Report)));

    internal override async Task WithTarnAsync()
    {
        using OwnedSequence<byte> report = await _cache.GetOrCreateAsync("pooled", _ =>
        {
            using PooledMemoryStream contents = new(Report);
            return ValueTask.FromResult(contents.Detach());
        });
        AssertArrived(report.Sequence);
    }

    public override ValueTask DisposeAsync() => _services.DisposeAsync();
}
