using System.Buffers;

namespace Tarn;

/// <summary>The elements that <see cref="SequenceBuilder{T}.Detach"/> took from a <see cref="SequenceBuilder{T}"/>.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
internal sealed class DetachedSegments<T> : OwnedSequence<T>
{
    private readonly BufferPool<T> _pool;
    private readonly BudgetedArrays<T>? _budgeted;
    private readonly BuilderNode<T>? _first;

    internal DetachedSegments(
        BufferPool<T> pool, BudgetedArrays<T>? budgeted, in ReadOnlySequence<T> sequence, BuilderNode<T>? first)
        : base(sequence)
    {
        _pool = pool;
        _budgeted = budgeted;
        _first = first;
    }

    private protected override CountedSlice<T> Share(long start, int length) =>
        SegmentList.Slice(_pool, _budgeted, Sequence, start, length);

    private protected override void GiveBack() => SegmentList.GiveBack(_pool, _budgeted, _first);
}
