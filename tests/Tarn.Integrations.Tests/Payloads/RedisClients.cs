using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.StackExchangeRedis;
using StackExchange.Redis;
using Tarn.Integrations.Tests.Recipes;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A value is read. The server is in this process and reads it from its own memory.</summary>
internal sealed class RedisClient : PayloadClient
{
    private readonly RedisServer _server = new();
    private readonly ConnectionMultiplexer _usual;
    private readonly ConnectionMultiplexer _pooled;

    public RedisClient()
    {
        ConfigurationOptions options = ConfigurationOptions.Parse(_server.Address);
        _usual = ConnectionMultiplexer.Connect(options);
        options = options.Clone();
        options.RequestBufferPool = BufferPool<byte>.Shared.AsMemoryPool();
        options.ResponseBufferPool = BufferPool<byte>.Shared.AsMemoryPool();
        _pooled = ConnectionMultiplexer.Connect(options);
        _usual.GetDatabase().StringSet("report", Report);
    }

    internal override async Task UsualAsync() => AssertArrived((byte[]?)await _usual.GetDatabase().StringGetAsync("report"));

    internal override async Task WithTarnAsync()
    {
        using Lease<byte>? found = await _pooled.GetDatabase().StringGetLeaseAsync("report");
        AssertArrived(found!.Span);
    }

    public override async ValueTask DisposeAsync()
    {
        await _usual.DisposeAsync();
        await _pooled.DisposeAsync();
        _server.Dispose();
    }
}

/// <summary>An entry of a distributed cache is read.</summary>
internal sealed class CacheClient : PayloadClient
{
    private readonly RedisServer _server = new();
    private readonly RedisCache _cache;

    public CacheClient()
    {
        _cache = new RedisCache(new RedisCacheOptions { Configuration = _server.Address });
        _cache.Set("report", Report, new DistributedCacheEntryOptions());
    }

    internal override async Task UsualAsync() => AssertArrived(await _cache.GetAsync("report"));

    internal override async Task WithTarnAsync()
    {
        using PooledWriter<byte> found = new();
        Assert.True(await ((IBufferDistributedCache)_cache).TryGetAsync("report", found));
        AssertArrived(found.WrittenSpan);
    }

    public override ValueTask DisposeAsync()
    {
        _cache.Dispose();
        _server.Dispose();
        return ValueTask.CompletedTask;
    }
}
