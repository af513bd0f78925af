namespace Tarn.Lab.Published;

/// <summary>Buffer allocation in .NET 6, seven ways (2021).</summary>
internal static class Net6Allocation
{
    public const string New = "new byte[]";
    public const string Pool = "ArrayPool.Shared";
    public const string Marshal = "Marshal.AllocHGlobal";
    public const string MarshalPressure = "Marshal.AllocHGlobal + pressure";
    public const string Native = "NativeMemory.Alloc";
    public const string NativePressure = "NativeMemory.Alloc + pressure";
    public const string Uninitialized = "GC.AllocateUninitializedArray";

    private const long KiB = 1 << 10;
    private const long MiB = 1 << 20;

    /// <summary>
    /// As the document gives them. "Pressure adds 38–70 ns" is stated for the methods without their own figure, so it is added to the
    /// range of the method without pressure.
    /// </summary>
    public static PublishedTable Table { get; } = new(
        "Buffer allocation in .NET 6, seven ways (2021): i7-10700, Windows, .NET 6.0.0",
        [
            new(New, 16, 2.4),
            new(New, KiB, 30),
            new(New, 4 * KiB, 118),
            new(New, 64 * KiB, 1_523),
            new(New, 128 * KiB, 4_933),
            new(New, MiB, 210_000),
            new(New, 128 * MiB, 2_800_000),
            new(Pool, 16, 128 * MiB, 14, 18),
            .. NativeFigures(Native, low: 0, high: 0),
            .. NativeFigures(Marshal, low: 0, high: 0),
            .. NativeFigures(NativePressure, low: 38, high: 70),
            .. NativeFigures(MarshalPressure, low: 38, high: 70),
            // "Equals new below 2 KiB": the figures that the document gives for new there.
            new(Uninitialized, 16, 2.4),
            new(Uninitialized, KiB, 30),
            new(Uninitialized, 4 * KiB, 69),
            new(Uninitialized, 64 * KiB, 237),
            new(Uninitialized, MiB, 7_700),
            new(Uninitialized, 128 * MiB, 2_900_000),
        ]);

    private static IEnumerable<PublishedFigure> NativeFigures(string method, double low, double high) =>
    [
        new(method, 16, 16 * KiB, 47 + low, 49 + high),
        new(method, 32 * KiB, 128 * KiB, 105 + low, 140 + high),
        new(method, MiB, 128 * MiB, 4_000 + low, 8_000 + high),
    ];
}
