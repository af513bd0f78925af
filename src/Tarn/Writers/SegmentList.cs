using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Tarn;

/// <summary>Gives back the memory of segments.</summary>
internal static class SegmentList
{
    /// <summary>Returns what segments own, arrays to the pool, and owners to whoever made them, whatever the owners throw.</summary>
    /// <param name="pool">The pool of the arrays.</param>
    /// <param name="first">The first of the segments.</param>
    /// <param name="end">The segment after the last of them; null for all.</param>
    /// <exception cref="Exception">What the first of the owners threw that did.</exception>
    internal static void GiveBack<T>(BufferPool<T> pool, BuilderNode<T>? first, BuilderNode<T>? end = null)
    {
        ExceptionDispatchInfo? thrown = null;
        for (BuilderNode<T>? node = first; node is not null && node != end; node = node.Following)
        {
            if (node.Array is { } array)
            {
                node.Array = null;
                pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
            }

            try
            {
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
}
