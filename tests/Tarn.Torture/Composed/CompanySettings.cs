namespace Tarn.Torture.Composed;

/// <summary>The company that a program's owners are in. Chosen at random, and made simpler while a failure shrinks.</summary>
internal sealed record CompanySettings
{
    /// <summary>The budgets above each other, from 1 to 3.</summary>
    public int Levels { get; init; } = 1;

    /// <summary>The limit of the uppermost budget. Those below it have three quarters each.</summary>
    public long Limit { get; init; } = 1 << 16;

    /// <summary>The budgets of the pool, the heap and the streams, counted from above; -1 for none.</summary>
    public int PoolBudget { get; init; } = -1;

    /// <inheritdoc cref="PoolBudget"/>
    public int HeapBudget { get; init; } = -1;

    /// <inheritdoc cref="PoolBudget"/>
    public int StreamBudget { get; init; } = -1;

    public BufferChecks Checks { get; init; }

    public bool Clears { get; init; }

    /// <summary>Pools and heaps block a little before they refuse.</summary>
    public bool Blocks { get; init; }

    /// <summary>A listener hears every rent and return, and pairs them.</summary>
    public bool Listens { get; init; }

    /// <summary>The system refuses memory to the heap now and then.</summary>
    public bool RefusesMemory { get; init; }

    /// <summary>A byte is taken of the uppermost budget when the first step is made, and no model knows: the fault of the tests.</summary>
    public bool TakesUntold { get; init; }

    /// <summary>The kinds of owners that the program makes, a bit for each of <see cref="OwnerKinds.All"/>.</summary>
    public uint Kinds { get; init; } = uint.MaxValue;

    internal static CompanySettings Choose(Random random)
    {
        int levels = random.Next(1, 4);
        bool poolHasBudget = random.Next(2) == 0;
        return new CompanySettings
        {
            Levels = levels,
            Limit = 1 << random.Next(13, 18),
            PoolBudget = poolHasBudget ? random.Next(levels) : -1,
            HeapBudget = random.Next(3) == 0 ? -1 : random.Next(levels),
            StreamBudget = poolHasBudget && random.Next(2) == 0 ? -1 : random.Next(levels),
            Checks = random.Next(3) switch { 0 => BufferChecks.All, 1 => BufferChecks.Returns, _ => BufferChecks.None },
            Clears = random.Next(3) == 0,
            Blocks = random.Next(8) == 0,
            Listens = random.Next(3) == 0,
            RefusesMemory = random.Next(6) == 0,
            Kinds = ChooseKinds(random),
        };
    }

    /// <summary>Companies with one thing less.</summary>
    internal IEnumerable<CompanySettings> Simpler()
    {
        CompanySettings[] all =
        [
            this with { Levels = 1, PoolBudget = Above(PoolBudget), HeapBudget = Above(HeapBudget), StreamBudget = Above(StreamBudget) },
            this with { PoolBudget = -1 }, this with { HeapBudget = -1 }, this with { StreamBudget = -1 },
            this with { Checks = BufferChecks.None }, this with { Clears = false }, this with { Blocks = false },
            this with { Listens = false }, this with { RefusesMemory = false },
        ];
        return all.Where(simpler => simpler != this);

        static int Above(int budget) => Math.Min(budget, 0);
    }

    /// <summary>A few kinds often meet each other; all kinds seldom do.</summary>
    private static uint ChooseKinds(Random random)
    {
        uint kinds = 0;
        for (int i = random.Next(1, 6); i > 0; i--)
        {
            kinds |= 1u << random.Next(OwnerKinds.All.Count);
        }

        return random.Next(4) == 0 ? uint.MaxValue : kinds;
    }
}
