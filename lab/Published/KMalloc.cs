namespace Tarn.Lab.Published;

/// <summary>KMalloc, part of kclib1 (2019): a malloc made of pools of blocks of one size, in C.</summary>
internal static class KMalloc
{
    public const string Malloc = "malloc";
    public const string Heap = "KMalloc";
    public const string Pool = "KMalloc, its pool used directly";
    public const string CountsOff = "KMalloc, counts off";

    /// <summary>Blocks allocated before the first one is freed.</summary>
    public const int Blocks = 10_000;

    /// <summary>The number of repetitions, after ten that do not count.</summary>
    public const int Rounds = 10_000;

    /// <summary>256 ints.</summary>
    public const int BlockSize = 1_024;

    /// <summary>Bytes of memory that each of a million live 4-byte blocks took: 15,956 KB and 4,236 KB.</summary>
    public static readonly IReadOnlyDictionary<string, double> BytesPerSmallBlock = new Dictionary<string, double>
    {
        [Malloc] = 15_956 * 1_024 / 1e6,
        [Heap] = 4_236 * 1_024 / 1e6,
    };

    /// <summary>Nanoseconds for one allocation and its free, from the seconds that all rounds took.</summary>
    public static PublishedTable Table { get; } = new(
        "KMalloc, part of kclib1 (2019): Core i7-2600, C",
        [
            OfRounds(Malloc, 35.188),
            OfRounds(Heap, 2.812),
            OfRounds(Pool, 1.903),
            OfRounds(CountsOff, 1.882),
        ]);

    private static PublishedFigure OfRounds(string method, double seconds) =>
        new(method, BlockSize, seconds * 1e9 / ((double)Blocks * Rounds));
}
