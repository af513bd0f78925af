using MemoryPack;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;

namespace Tarn.Integrations.Tests.Recipes;

public sealed partial class SerializerRecipes
{
    [Fact]
    public void MemoryPack_writes_into_a_pooled_writer()
    {
        Price[] prices = [.. Enumerable.Range(0, 1_000).Select(static i => new Price { Name = $"price {i}", Cents = i })];

        #region MemoryPack
        using PooledWriter<byte> message = new();
        MemoryPackSerializer.Serialize(message, prices);
        Price[]? copy = MemoryPackSerializer.Deserialize<Price[]>(message.WrittenSpan);
        #endregion

        Assert.Equal(prices.Select(static price => (price.Name, price.Cents)), copy!.Select(static price => (price.Name, price.Cents)));
    }

    [Fact]
    public void Orleans_writes_into_a_pooled_writer()
    {
        using ServiceProvider services = new ServiceCollection().AddSerializer().BuildServiceProvider();
        Serializer serializer = services.GetRequiredService<Serializer>();
        Dictionary<string, long> prices = Enumerable.Range(0, 1_000).ToDictionary(static i => $"price {i}", static i => i * 3L);

        #region Orleans.Serialization
        using PooledWriter<byte> message = new();
        serializer.Serialize(prices, message);
        Dictionary<string, long>? copy = serializer.Deserialize<Dictionary<string, long>>(message.WrittenMemory);
        #endregion

        Assert.Equal(prices, copy);
    }

    [MemoryPackable]
    public sealed partial class Price
    {
        public string Name { get; set; } = "";

        public int Cents { get; set; }
    }
}
