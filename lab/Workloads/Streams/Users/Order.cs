namespace Tarn.Lab.Workloads.Streams.Users;

/// <summary>The data for JSON: a record such as web services send.</summary>
internal sealed record Order(
    int Id, string Customer, string Street, string City, decimal Total, DateTime PlacedAt, IReadOnlyList<OrderLine> Lines)
{
    /// <summary>The same orders on every run.</summary>
    public static Order[] Create(int count)
    {
        var random = new Random(1);
        return [.. Enumerable.Range(1, count).Select(id => Create(id, random))];
    }

    private static Order Create(int id, Random random) => new(
        id,
        $"Customer {random.Next(100_000)}",
        $"{random.Next(1, 400)} Street {random.Next(5_000)}",
        $"City {random.Next(1_000)}",
        random.Next(1, 1_000_000) / 100m,
        new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddMinutes(random.Next(500_000)),
        [.. Enumerable.Range(0, 3).Select(_ =>
            new OrderLine($"SKU-{random.Next(1_000_000):D6}", random.Next(1, 20), random.Next(1, 50_000) / 100m))]);
}
