extern alias Other;
extern alias Same;

using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Contenders.Against;

/// <summary>This commit's library, the other commit's, and this one's once more, in the order of all lists.</summary>
internal static class Builds
{
    public const string This = "this commit";
    public const string Other = "other commit";
    public const string Same = "this commit again";

    /// <summary>New pools of the three builds, then <c>ArrayPool.Shared</c>.</summary>
    /// <param name="cap">The pools' cap, in bytes; null for the default.</param>
    public static IReadOnlyList<PoolContender> CreatePools(long? cap = null) =>
    [
        ThisPool.Create(This, cap),
        OtherPool.Create(Other, cap),
        SamePool.Create(Same, cap),
        PoolContender.Of(PoolNames.BclShared, default(BclShared)),
    ];

    /// <summary>A lease of each build's shared pool, then the raw pair of <c>ArrayPool.Shared</c>.</summary>
    public static IReadOnlyList<Trial> CreateLeases(int length) =>
    [
        new LoopTrial<LeasedByte<ThisPool>>(This, new(new(BufferPool<byte>.Shared), length)),
        new LoopTrial<LeasedByte<OtherPool>>(Other, new(new(Other::Tarn.BufferPool<byte>.Shared), length)),
        new LoopTrial<LeasedByte<SamePool>>(Same, new(new(Same::Tarn.BufferPool<byte>.Shared), length)),
        new LoopTrial<TouchedPair<BclShared>>(PoolNames.BclShared, new(default, length)),
    ];

    /// <summary>The shared heaps of the three builds.</summary>
    public static IReadOnlyList<NativeContender> Heaps { get; } =
    [
        NativeContender.Of(This, new TarnHeapInstance(NativeHeap.Shared)),
        NativeContender.Of(Other, new OtherHeap(OtherNativeHeap.Shared)),
        NativeContender.Of(Same, new SameHeap(Same::Tarn.Native.NativeHeap.Shared)),
    ];

    /// <summary>New heaps of the three builds, which end with the process, and the bytes that each retains.</summary>
    public static IReadOnlyList<(NativeContender Heap, Func<long> RetainedBytes)> CreateHeaps()
    {
        NativeHeap own = new();
        OtherNativeHeap other = new();
        Same::Tarn.Native.NativeHeap same = new();
        return
        [
            (NativeContender.Of(This, new TarnHeapInstance(own)), () => own.GetStatistics().RetainedBytes),
            (NativeContender.Of(Other, new OtherHeap(other)), () => other.GetStatistics().RetainedBytes),
            (NativeContender.Of(Same, new SameHeap(same)), () => same.GetStatistics().RetainedBytes),
        ];
    }
}
