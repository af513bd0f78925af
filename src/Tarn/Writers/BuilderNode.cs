using System.Buffers;

namespace Tarn;

/// <summary>A segment of a <see cref="SequenceBuilder{T}"/>: elements, and what owns their memory.</summary>
/// <remarks>
/// Several segments may lie in one array, where memory of others was appended between them. The last of them owns it: a builder gives up
/// its segments from the first on, so the array is still in use until that one goes.
/// </remarks>
internal sealed class BuilderNode<T> : ReadOnlySequenceSegment<T>
{
    /// <summary>The pool's array that goes back with this segment, if it owns one.</summary>
    internal T[]? Array { get; set; }

    /// <summary>The slice that was appended; or the hold on <see cref="Array"/>, once slices of it were given out.</summary>
    internal CountedSlice<T> Slice { get; set; }

    /// <summary>The owner that is disposed with this segment, if it has one.</summary>
    internal IDisposable? Owner { get; set; }

    internal BuilderNode<T>? Following => (BuilderNode<T>?)Next;

    internal long End => RunningIndex + Memory.Length;

    internal void Begin(ReadOnlyMemory<T> memory, long runningIndex)
    {
        Memory = memory;
        RunningIndex = runningIndex;
    }

    internal void EndAt(int length) => Memory = Memory[..length];

    internal void Append(BuilderNode<T> next) => Next = next;

    /// <summary>Takes the array, and the hold on it if it has one, from the segment that owned it.</summary>
    internal void TakeArray(BuilderNode<T> owner)
    {
        (Array, Slice) = (owner.Array, owner.Slice);
        (owner.Array, owner.Slice) = (null, default);
    }

    /// <summary>Takes this segment out of the list, for another use.</summary>
    internal void Forget()
    {
        Next = null;
        Memory = default;
        RunningIndex = 0;
        Array = null;
        Slice = default;
        Owner = null;
    }
}
