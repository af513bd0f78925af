using Tarn.Torture.Composed.Owners;

namespace Tarn.Torture.Composed;

/// <summary>Every kind of owner that a program makes.</summary>
internal static class OwnerKinds
{
    internal static IReadOnlyList<OwnerKind> All { get; } =
    [
        RentedArray.Kind, MemoryOwner.OfPool, BudgetLease.AtOnce, BudgetLease.Awaited, TakenBytes.AtOnce, TakenBytes.Awaited,
        Writer.OfPool, Writer.OfHeap, Builder.Kind, Slices.Kind, ByteStream.OfPool, ByteStream.OfHeap, NativeBlock.Kind,
        NativeElements.Kind, Scope.Kind, BlockPipe.Kind, RingPair.Kind, Writer.OfBudget, Writer.OfHeapAndBudget, Builder.OfBudget,
        Slices.OfBudget,
    ];

    /// <summary>Those whose bits are set; all, if none is.</summary>
    internal static IReadOnlyList<OwnerKind> Enabled(uint bits)
    {
        OwnerKind[] enabled = [.. All.Where((_, index) => (bits & (1u << index)) != 0)];
        return enabled.Length > 0 ? enabled : All;
    }
}
