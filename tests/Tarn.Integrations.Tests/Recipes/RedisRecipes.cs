using System.Text.Json;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.StackExchangeRedis;
using StackExchange.Redis;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class RedisRecipes(RedisServer server) : IClassFixture<RedisServer>
{
    [Fact]
    public async Task A_value_comes_and_goes_in_the_client_s_own_pools()
    {
        string address = server.Address;
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.All });
        Order order = Order.Sample;

        #region StackExchange.Redis
        ConfigurationOptions options = ConfigurationOptions.Parse(address);
        options.RequestBufferPool = pool.AsMemoryPool();
        options.ResponseBufferPool = pool.AsMemoryPool();
        await using ConnectionMultiplexer redis = await ConnectionMultiplexer.ConnectAsync(options);
        IDatabase database = redis.GetDatabase();

        using PooledWriter<byte> value = new();
        using (Utf8JsonWriter json = new(value))
        {
            JsonSerializer.Serialize(json, order);
        }

        await database.StringSetAsync("order", value.WrittenMemory);
        using Lease<byte>? found = await database.StringGetLeaseAsync("order");
        Order? copy = JsonSerializer.Deserialize<Order>(found!.Span);
        #endregion

        order.AssertSame(copy);
        Assert.True(pool.GetStatistics().Rented > 0);
    }

    [Fact]
    public async Task A_distributed_cache_reads_and_writes_pooled_memory()
    {
        string address = server.Address;
        byte[] report = new byte[500_000];
        new Random(1).NextBytes(report);
        using PooledMemoryStream contents = new();
        contents.Write(report);

        #region IBufferDistributedCache
        using RedisCache redis = new(new RedisCacheOptions { Configuration = address });
        IBufferDistributedCache cache = redis;
        await cache.SetAsync("report", contents.GetReadOnlySequence(), new DistributedCacheEntryOptions());

        using PooledWriter<byte> found = new();
        bool isFound = await cache.TryGetAsync("report", found);
        #endregion

        Assert.True(isFound);
        Assert.Equal(report, found.WrittenSpan);
    }
}
