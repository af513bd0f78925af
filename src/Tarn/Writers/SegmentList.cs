using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Gives back the memory of segments, and shares it.</summary>
internal static class SegmentList
{
    /// <summary>Returns what segments own, arrays to the pool, and owners to whoever made them, whatever one of them throws.</summary>
    /// <param name="pool">The pool of the arrays.</param>
    /// <param name="budgeted">What takes the arrays back, where they count in a budget; else null.</param>
    /// <param name="first">The first of the segments.</param>
    /// <param name="end">The segment after the last of them; null for all.</param>
    /// <exception cref="Exception">What the first of them threw that did.</exception>
    internal static void GiveBack<T>(
        BufferPool<T> pool, BudgetedArrays<T>? budgeted, BuilderNode<T>? first, BuilderNode<T>? end = null)
    {
        ExceptionDispatchInfo? thrown = null;
        for (BuilderNode<T>? node = first; node is not null && node != end; node = node.Following)
        {
            T[]? array = node.Array;
            CountedSlice<T> slice = node.Slice;
            node.Array = null;
            node.Slice = default;
            try
            {
                if (!slice.IsDefault)
                {
                    slice.Dispose();
                }
                else if (array is not null && budgeted is not null)
                {
                    budgeted.TakeBack(array);
                }
                else if (array is not null)
                {
                    pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
                }

                node.Owner?.Dispose();
            }
            catch (Exception e)
            {
                thrown ??= ExceptionDispatchInfo.Capture(e);
            }

            node.Owner = null;
        }

        thrown?.Throw();
    }

    /// <summary>
    /// Takes a slice of a part of segments: of their memory, if the part is in one array or slice that they own; else of a copy.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside the sequence.</exception>
    /// <exception cref="BufferBudgetExceededException">A budget has no room for the copy; nothing has changed.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing has changed.</exception>
    internal static CountedSlice<T> Slice<T>(
        BufferPool<T> pool, BudgetedArrays<T>? budgeted, in ReadOnlySequence<T> sequence, long start, int length)
    {
        SharingThrow.UnlessPart(start, length, sequence.Length);
        ReadOnlySequence<T> part = sequence.Slice(start, length);

        // A part that ends with its segment ends in the next one, at index 0.
        if (part.First.Length == length && part.Start.GetObject() is BuilderNode<T> node)
        {
            int index = part.Start.GetInteger();
            if (node.Array is null && !node.Slice.IsDefault)
            {
                return node.Slice.Slice(index, length);
            }

            if (MemoryMarshal.TryGetArray(node.Memory, out ArraySegment<T> memory) && FindOwner(node, memory.Array!) is { } owner)
            {
                if (owner.Slice.IsDefault)
                {
                    owner.Slice = CountedSlice<T>.Over(pool, owner.Array!, owner.Array!.Length, budgeted);
                }

                return owner.Slice.Slice(memory.Offset + index, length);
            }
        }

        using CountedBuffer<T> copy = budgeted is null
            ? CountedBuffer<T>.Rent(pool, length)
            : CountedBuffer<T>.Rent(pool, length, budgeted);
        part.CopyTo(copy.Span);
        return copy.Slice();
    }

    /// <summary>The segment from here on that owns an array: the last one that is in it.</summary>
    private static BuilderNode<T>? FindOwner<T>(BuilderNode<T>? node, T[] array)
    {
        while (node is not null && node.Array != array)
        {
            node = node.Following;
        }

        return node;
    }
}
