namespace Tarn.Lab.Workloads;

/// <summary>The lengths that a load requests.</summary>
/// <param name="Id">A part of the ids of its measurements.</param>
/// <param name="Text">The description for readers.</param>
/// <param name="Largest">The largest length.</param>
/// <param name="Draw">One length.</param>
internal sealed record SizeDistribution(string Id, string Text, int Largest, Func<Random, int> Draw)
{
    public static SizeDistribution Uniform(string id, string text, int largest) =>
        new(id, text, largest, random => random.Next(1, largest + 1));

    /// <summary>Every doubling is as likely as any other.</summary>
    public static SizeDistribution LogUniform(string id, string text, int largest) =>
        new(id, text, largest, random => (int)Math.Exp(random.NextDouble() * Math.Log(largest)));

    public int[] Take(int count, Random random) => [.. Enumerable.Range(0, count).Select(_ => Draw(random))];
}
