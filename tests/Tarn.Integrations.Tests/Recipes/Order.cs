namespace Tarn.Integrations.Tests.Recipes;

/// <summary>What the recipes send, store and read.</summary>
public sealed record Order(int Id, string Customer, int[] Articles)
{
    internal static Order Sample { get; } = new(17, "Åsa", [.. Enumerable.Range(0, 3000)]);

    internal void AssertSame(Order? other)
    {
        Assert.NotNull(other);
        Assert.Equal((Id, Customer), (other.Id, other.Customer));
        Assert.Equal(Articles, other.Articles);
    }
}
