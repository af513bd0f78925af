namespace Tarn.Lab.Published;

/// <summary>Pooling large arrays with ArrayPool (2017).</summary>
internal static class LargeArrays
{
    public const string New = "new byte[]";
    public const string Shared = "ArrayPool.Shared";
    public const string Sized = "ArrayPool.Create(size + 1, 10)";

    /// <summary>At 10,000,000 B the shared pool of that time was past its limit of 2^20 and allocated every time.</summary>
    public static PublishedTable Table { get; } = new(
        "Pooling large arrays with ArrayPool (2017)",
        [
            new(New, 100, 8),
            new(New, 1_000, 41),
            new(New, 10_000, 375),
            new(New, 100_000, 3_637),
            new(New, 10_000_000, 558_000),
            new(Shared, 100, 1_000_000, 42, 47),
            new(Shared, 10_000_000, 651_000),
            new(Sized, 10_000_000, 47),
        ]);
}
