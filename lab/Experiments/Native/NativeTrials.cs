using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>Trials of native work for contenders whose types only a visitor knows.</summary>
internal static class NativeTrials
{
    public static IReadOnlyList<Trial> Pairs(IEnumerable<NativeContender> contenders, int size) =>
        [.. contenders.Select(contender => contender.Accept(new PairVisitor(size)))];

    public static IReadOnlyList<Trial> DeepPairs(IEnumerable<NativeContender> contenders, int size) =>
        [.. contenders.Select(contender => contender.Accept(new DeepVisitor(size)))];

    private sealed class PairVisitor(int size) : INativeVisitor<Trial>
    {
        public Trial Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator => new LoopTrial<NativePair<TAllocator>>(name, new(allocator, size));
    }

    private sealed class DeepVisitor(int size) : INativeVisitor<Trial>
    {
        public Trial Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator =>
            new LoopTrial<NativeDeepPairs<TAllocator>>(name, new(allocator, size), NativeDeepPairs<TAllocator>.Depth);
    }
}
