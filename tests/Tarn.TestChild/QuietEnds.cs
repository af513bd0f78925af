using System.Buffers;
using System.Diagnostics;
using System.Globalization;

namespace Tarn.TestChild;

/// <summary>A program that rents in the middle of its life only. It tells for how long it rented nothing.</summary>
/// <remarks>The argument: the file to write to; a line each, before and after the rents, in milliseconds.</remarks>
internal static class QuietEnds
{
    private const int Quiet = 400;

    private static byte[]? s_kept;

    public static void Run(string[] arguments)
    {
        var before = Stopwatch.StartNew();
        Thread.Sleep(Quiet);
        before.Stop();
        s_kept = ArrayPool<byte>.Shared.Rent(100);
        ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(5_000));
        var after = Stopwatch.StartNew();
        Thread.Sleep(Quiet);
        File.WriteAllLines(
            arguments[0],
            [.. new[] { before, after }.Select(one => one.Elapsed.TotalMilliseconds.ToString(CultureInfo.InvariantCulture))]);
        GC.KeepAlive(s_kept);
    }
}
