namespace Tarn.Lab.Scenarios;

/// <summary>The data that JSON scenarios exchange.</summary>
internal sealed record Order(int Id, string Customer, DateTimeOffset PlacedAt, Order.Item[] Items)
{
    public sealed record Item(string Product, int Count, decimal Price);

    public static Order Create(Random random, int items) => new(
        random.Next(),
        $"customer {random.Next(1_000)}",
        DateTimeOffset.UnixEpoch.AddSeconds(random.Next()),
        [
            .. Enumerable.Range(0, items)
                .Select(_ => new Item($"product {random.Next(10_000)} of a kind", random.Next(1, 9), random.Next(1, 10_000) / 100m)),
        ]);
}
