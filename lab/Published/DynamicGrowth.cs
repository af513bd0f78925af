namespace Tarn.Lab.Published;

/// <summary>Dynamic growth throughput, from the documents of MemoryStreamSlim (2024 to 2026).</summary>
internal static class DynamicGrowth
{
    public const string Bcl = "MemoryStream";
    public const string Recyclable = "RecyclableMemoryStream";
    public const string Slim = "MemoryStreamSlim";

    /// <summary>Bytes of a segmented write and read.</summary>
    public const int Segment = 4_096;

    private const string Source = "MemoryStreamSlim, dynamic growth throughput: Core i9-14900K, Windows 11, .NET 9.0.4";
    private const double Microsecond = 1e3;
    private const double Millisecond = 1e6;

    /// <summary>The sizes of the document's streams, in bytes.</summary>
    public static readonly IReadOnlyList<int> Sizes = [131_072, 983_040, 16_777_216, 100_597_760, 209_715_200];

    /// <summary>Generations 0, 1 and 2 for 1,000 operations: segmented, nothing set.</summary>
    public static readonly IReadOnlyDictionary<(string Method, int Size), string> Collections = new Dictionary<(string, int), string>
    {
        [(Bcl, Sizes[2])] = "7,469 / 7,469 / 7,469",
        [(Recyclable, Sizes[2])] = "19.5 / – / –",
        [(Slim, Sizes[2])] = "0 / 0 / 0",
        [(Bcl, Sizes[4])] = "8,000 / 8,000 / 8,000",
        [(Recyclable, Sizes[4])] = "2,600 / 200 / 0",
        [(Slim, Sizes[4])] = "0 / 0 / 0",
    };

    /// <summary>Bytes that an operation allocates: segmented, nothing set.</summary>
    public static readonly IReadOnlyDictionary<(string Method, int Size), double> Allocated = new Dictionary<(string, int), double>
    {
        [(Bcl, Sizes[4])] = 2.6e9,
        [(Recyclable, Sizes[4])] = 50_532 * 1_024,
        [(Slim, Sizes[4])] = 1.55 * 1_024,
    };

    /// <summary>One write and one read, nothing set.</summary>
    public static PublishedTable Bulk { get; } = new(
        Source,
        [
            .. OfSize(Sizes[0], Microsecond, 183, 18.2, 18.7),
            .. OfSize(Sizes[1], Microsecond, 379, 213, 192),
            .. OfSize(Sizes[2], Millisecond, 11.4, 8.77, 6.88),
            .. OfSize(Sizes[3], Millisecond, 78.9, 73.4, 52.1),
            .. OfSize(Sizes[4], Millisecond, 165, 154, 108),
        ]);

    /// <summary>One write and one read, buffers zeroed.</summary>
    public static PublishedTable BulkZeroed { get; } = new(
        Source,
        [
            .. OfSize(Sizes[0], Microsecond, 182, 25.4, 32.8),
            .. OfSize(Sizes[2], Millisecond, 11.4, 9.55, 9.97),
            .. OfSize(Sizes[4], Millisecond, 165, 207, 162),
        ]);

    /// <summary>Writes and reads of 4 KiB, nothing set.</summary>
    public static PublishedTable Segmented { get; } = new(
        Source,
        [
            .. OfSize(Sizes[0], Microsecond, 204, 13.2, 19.0),
            .. OfSize(Sizes[1], Microsecond, 2_290, 104, 110),
            .. OfSize(Sizes[2], Millisecond, 26.6, 3.25, 3.01),
            .. OfSize(Sizes[3], Millisecond, 169, 46.1, 45.6),
            .. OfSize(Sizes[4], Millisecond, 325, 107, 101),
        ]);

    /// <summary>Returns how many bytes each of five growing streams holds more than the previous one.</summary>
    public static int GrowthOf(int size) => size / 20;

    /// <summary>Returns the table that contains the row with these settings; null for rows whose figures are not recorded here.</summary>
    public static PublishedTable? TableOf(bool segmented, bool capacityOnCreate, bool zeroBuffers, bool growEachLoop) =>
        (capacityOnCreate || growEachLoop, segmented, zeroBuffers) switch
        {
            (false, false, false) => Bulk,
            (false, false, true) => BulkZeroed,
            (false, true, false) => Segmented,
            _ => null,
        };

    private static IEnumerable<PublishedFigure> OfSize(int size, double unit, double bcl, double recyclable, double slim) =>
        [new(Bcl, size, bcl * unit), new(Recyclable, size, recyclable * unit), new(Slim, size, slim * unit)];
}
