namespace Tarn;

/// <summary>Hands out the smallest free index, so that tables indexed by it stay short.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class FreeIndices(int first)
{
    private readonly Lock _lock = new();
    private readonly SortedSet<int> _free = [];
    private int _next = first;

    internal int Take()
    {
        using (_lock.Hold())
        {
            if (_free.Count == 0)
            {
                return _next++;
            }

            int index = _free.Min;
            _free.Remove(index);
            return index;
        }
    }

    /// <summary>Frees the index, which must not be used any more.</summary>
    internal void GiveBack(int index)
    {
        using (_lock.Hold())
        {
            _free.Add(index);
        }
    }
}
