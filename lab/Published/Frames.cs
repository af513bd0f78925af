using Tarn.Lab.Workloads.Loops;
using Tarn.SharedMemory;

namespace Tarn.Lab.Published;

/// <summary>Handling of large byte arrays (2009): video frames, allocated and copied in loops of ten seconds.</summary>
internal static class Frames
{
    /// <summary>320 × 240 pixels of 3 bytes.</summary>
    public const int Size = 320 * 240 * 3;

    /// <summary>How long the document lets a loop run.</summary>
    public static readonly TimeSpan LoopTime = TimeSpan.FromSeconds(10);

    /// <summary>"Own loops are five times slower in Debug"; it gives no figures for the other copies.</summary>
    private const double SlowerInDebug = 5;

    private const string Document = "Handling of large byte arrays (2009)";
    private const double FourByteLoops = 218e3;
    private const double EightByteLoops = 295e3;

    public static PublishedTable Allocation { get; } = new(
        Document,
        [
            OfLoops(AllocationNames.NewArray, 425e6),
            OfLoops(AllocationNames.HGlobal, 19.7e6),
            OfLoops(AllocationNames.CoTaskMem, 21.1e6),
            OfLoops(AllocationNames.SharedRegion, 0.79e6),
            OfLoops(AllocationNames.Stack, 342e6),
        ]);

    public static PublishedTable AllocationInDebug { get; } = new(
        Document,
        [
            OfLoops(AllocationNames.NewArray, 0.07e6),
            OfLoops(AllocationNames.HGlobal, 22.7e6),
            OfLoops(AllocationNames.CoTaskMem, 25.6e6),
            OfLoops(AllocationNames.SharedRegion, 0.79e6),
            OfLoops(AllocationNames.Stack, 0.56e6),
        ]);

    public static PublishedTable Copy { get; } = new(
        Document,
        [
            OfLoops(CopyNames.ArrayCopy, 361e3),
            OfLoops(CopyNames.MarshalCopy, 361e3),
            OfLoops(CopyNames.CLibrary, 361e3),
            OfLoops(CopyNames.BlockCopy, 375e3),
            OfLoops(CopyNames.FourBytes, FourByteLoops),
            OfLoops(CopyNames.EightBytes, EightByteLoops),
        ]);

    public static PublishedTable CopyInDebug { get; } = new(
        Document,
        [
            OfLoops(CopyNames.FourBytes, FourByteLoops / SlowerInDebug),
            OfLoops(CopyNames.EightBytes, EightByteLoops / SlowerInDebug),
        ]);

    /// <summary>Returns the loops in <see cref="LoopTime"/> if one takes <paramref name="nanoseconds"/>.</summary>
    public static double LoopsOf(double nanoseconds) => LoopTime.TotalNanoseconds / nanoseconds;

    private static PublishedFigure OfLoops(string method, double loops) => new(method, Size, LoopTime.TotalNanoseconds / loops);
}
