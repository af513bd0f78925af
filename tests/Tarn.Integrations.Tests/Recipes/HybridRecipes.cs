using System.Buffers;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class HybridRecipes(RedisServer server) : IClassFixture<RedisServer>
{
    private readonly PooledMemoryStreamOptions _memory =
        new() { Pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.All }) };

    private readonly byte[] _report = Contents();
    private int _loaded;

    private long InUseBytes => _memory.Pool!.GetStatistics().InUseBytes;

    [Fact]
    public async Task Entries_are_pooled_memory_which_another_cache_reads_from_the_second_level()
    {
        const string key = "shared";
        await using (ServiceProvider first = CreateServices())
        {
            using OwnedSequence<byte> loaded = await GetAsync(first, key);
            Assert.Equal(_report, loaded.Sequence.ToArray());
            using OwnedSequence<byte> kept = await GetAsync(first, key);
            Assert.NotSame(loaded, kept);
            Assert.Equal(_report, kept.Sequence.ToArray());
            Assert.InRange(InUseBytes, 2 * _report.Length, 3 * _report.Length);

            // The cache writes the second level when it has given out what was loaded.
            IDistributedCache second = first.GetRequiredService<IDistributedCache>();
            for (int i = 0; await second.GetAsync(key) is null; i++)
            {
                Assert.True(i < 1_000, "The entry did not come to the second level.");
                await Task.Delay(10);
            }
        }

        await using (ServiceProvider other = CreateServices())
        {
            using OwnedSequence<byte> found = await GetAsync(other, key);
            Assert.Equal(_report, found.Sequence.ToArray());
        }

        Assert.Equal(1, _loaded);
        Assert.Equal(0, InUseBytes);
    }

    /// <summary>The page says so.</summary>
    [Fact]
    public async Task An_entry_longer_than_the_limit_is_one_object_for_all_its_readers()
    {
        await using ServiceProvider services = CreateServices(limit: _report.Length - 1);
        using OwnedSequence<byte> loaded = await GetAsync(services, "long");
        Assert.Same(loaded, await GetAsync(services, "long"));
    }

    private ServiceProvider CreateServices(int limit = 16 << 20)
    {
        ServiceCollection services = new();
        string address = server.Address;
        PooledMemoryStreamOptions memory = _memory;

        #region HybridCache, registered
        services.AddStackExchangeRedisCache(options => options.Configuration = address);
        services.AddHybridCache(options => options.MaximumPayloadBytes = limit)
            .AddSerializer<OwnedSequence<byte>>(new PooledBytes(memory));
        #endregion

        return services.BuildServiceProvider();
    }

    private async Task<OwnedSequence<byte>> GetAsync(IServiceProvider services, string key)
    {
        HybridCache cache = services.GetRequiredService<HybridCache>();
        PooledMemoryStreamOptions memory = _memory;
        using MemoryStream source = new(_report);
        async Task<Stream> OpenAsync(CancellationToken cancellationToken)
        {
            _loaded++;
            await Task.Yield();
            return source;
        }

        #region HybridCache, an entry
        OwnedSequence<byte> report = await cache.GetOrCreateAsync(key, async cancellationToken =>
        {
            await using Stream body = await OpenAsync(cancellationToken);
            using PooledMemoryStream contents = new(memory);
            await contents.CopyFromAsync(body, cancellationToken);
            return contents.Detach();
        });
        #endregion

        return report;
    }

    private static byte[] Contents()
    {
        byte[] report = new byte[500_000];
        new Random(1).NextBytes(report);
        return report;
    }

    #region HybridCache, a serializer
    /// <summary>Bytes in pooled memory. The cache disposes what was loaded for it; whoever gets bytes from it disposes them.</summary>
    internal sealed class PooledBytes(PooledMemoryStreamOptions memory) : IHybridCacheSerializer<OwnedSequence<byte>>
    {
        public void Serialize(OwnedSequence<byte> value, IBufferWriter<byte> target)
        {
            foreach (ReadOnlyMemory<byte> part in value.Sequence)
            {
                target.Write(part.Span);
            }

            value.Dispose();
        }

        public OwnedSequence<byte> Deserialize(ReadOnlySequence<byte> source)
        {
            using PooledMemoryStream copy = new(memory, source.Length);
            copy.Write(source);
            return copy.Detach();
        }
    }
    #endregion
}
