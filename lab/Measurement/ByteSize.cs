namespace Tarn.Lab.Measurement;

/// <summary>Sizes as people read them: <c>1 KiB</c>, and <c>1kib</c> inside an id.</summary>
internal static class ByteSize
{
    public static string Text(long bytes) => bytes switch
    {
        >= 1 << 30 when bytes % (1 << 30) == 0 => $"{bytes >> 30} GiB",
        >= 1 << 20 when bytes % (1 << 20) == 0 => $"{bytes >> 20} MiB",
        >= 1 << 10 when bytes % (1 << 10) == 0 => $"{bytes >> 10} KiB",
        _ => $"{bytes:N0} B",
    };

    public static string Id(long bytes) => Text(bytes).Replace(" ", "", StringComparison.Ordinal).Replace(",", "", StringComparison.Ordinal)
        .ToLowerInvariant();
}
