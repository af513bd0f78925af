namespace Tarn;

/// <summary>Pinned arrays of one length, a few of which are allocated ahead of use.</summary>
/// <remarks>
/// Pinned arrays never move, and the runtime returns the memory between them only behind the last one that is alive. What a thread keeps
/// for its lifetime, allocated while a pool fills up with pinned buffers, would lie behind these, and keep their memory after they are
/// gone. A pool of pinned buffers therefore calls <see cref="Reserve"/> before its first buffer. All members are safe to call from any
/// thread.
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
/// <param name="length">The length of each array.</param>
internal sealed class PinnedSpares<T>(int length)
{
    private readonly Lock _lock = new();
    private readonly Stack<T[]> _spares = new();

    /// <summary>Returns a cleared array, a spare one if there is one.</summary>
    /// <exception cref="OutOfMemoryException">There is no spare array and no memory for one.</exception>
    internal T[] Take()
    {
        using (_lock.Hold())
        {
            if (_spares.TryPop(out T[]? spare))
            {
                return spare;
            }
        }

        return GC.AllocateArray<T>(length, pinned: true);
    }

    /// <summary>Allocates spare arrays until there are at least <paramref name="count"/>.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for all of them. Those allocated stay.</exception>
    internal void Reserve(int count)
    {
        using (_lock.Hold())
        {
            while (_spares.Count < count)
            {
                _spares.Push(GC.AllocateArray<T>(length, pinned: true));
            }
        }
    }
}
