extern alias Unoptimized;

using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Published;
using Tarn.Lab.Workloads.Loops;
using WithoutOptimization = Unoptimized::Tarn.Lab.Workloads.Loops;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>One of the document's two tables: its loops, in both builds, and the sizes to measure.</summary>
internal sealed class FrameLoops
{
    /// <summary>
    /// The largest size in Debug code. Above it, memory limits the speed, not code, and hand-written loops take a second.
    /// </summary>
    public const int MostInDebug = 16 << 20;

    private const int WarmUpPasses = 4;
    private static readonly int[] s_quickSizes = [1 << 10, 16 << 10, 64 << 10, Frames.Size, 1 << 20, 4 << 20, 16 << 20];
    private static readonly int[] s_warmUpSizes = [1 << 10, 4 << 20];

    private static readonly int[] s_fullSizes =
        [1 << 10, 4 << 10, 16 << 10, 64 << 10, Frames.Size, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20, 1 << 30];

    private readonly Func<LoopCode, int, IReadOnlyList<(string Name, Action<int> Loop)>> _create;

    private FrameLoops(string id, Func<LoopCode, int, IReadOnlyList<(string Name, Action<int> Loop)>> create)
    {
        Id = id;
        _create = create;
    }

    public static FrameLoops Allocation { get; } = new("allocation", (code, size) =>
        code == LoopCode.Debug ? new WithoutOptimization.AllocationLoops(size).All : new AllocationLoops(size).All);

    public static FrameLoops Copy { get; } = new("copy", CreateCopies);

    public string Id { get; }

    /// <exception cref="InvalidDataException">There is no table of that name.</exception>
    public static FrameLoops Find(string id) =>
        id == Allocation.Id ? Allocation : id == Copy.Id ? Copy : throw new InvalidDataException($"There are no loops named {id}.");

    public static IReadOnlyList<int> SizesOf(bool isFull) => isFull ? s_fullSizes : s_quickSizes;

    /// <summary>The loops that can be measured at a size.</summary>
    public IReadOnlyList<(string Name, Action<int> Loop)> At(LoopCode code, int size) =>
        code == LoopCode.Debug && size > MostInDebug ? [] : _create(code, size);

    /// <summary>Returns the named trials of optimized code, in the order of the names.</summary>
    public IReadOnlyList<Trial> TrialsOf(IReadOnlyList<string> names, int size, Func<string, Action<int>, Trial> create)
    {
        Dictionary<string, Action<int>> loops = At(LoopCode.Release, size).ToDictionary(loop => loop.Name, loop => loop.Loop);
        return [.. names.Select(name => create(name, loops[name]))];
    }

    /// <summary>
    /// Warms up the code, which is the same at every size except for copies on several cores. Unoptimized code never changes.
    /// </summary>
    public void WarmUpCode() => WarmUp.Run(
        [.. s_warmUpSizes.SelectMany(size => At(LoopCode.Release, size)).Select(loop => new CompiledLoopTrial(loop.Name, loop.Loop))],
        WarmUpPasses);

    private static IReadOnlyList<(string Name, Action<int> Loop)> CreateCopies(LoopCode code, int size)
    {
        (byte[] source, byte[] destination) = CopyBuffers.AtLeast(size);
        nint copyMemory = NativePeers.CLibrary.IsPresent ? NativePeers.CLibrary.Find("memcpy") : 0;
        return code == LoopCode.Debug
            ? new WithoutOptimization.CopyLoops(source, destination, size, copyMemory).All
            : new CopyLoops(source, destination, size, copyMemory).All;
    }
}
