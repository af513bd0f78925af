namespace Tarn;

/// <summary>Gives out the smallest index that is free, so that tables indexed by it stay short.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class FreeIndices(int first)
{
    private readonly Lock _lock = new();
    private readonly SortedSet<int> _free = [];
    private int _next = first;

    internal int Take()
    {
        lock (_lock)
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

    /// <summary>Makes the index free; nobody may use it any more.</summary>
    internal void GiveBack(int index)
    {
        lock (_lock)
        {
            _free.Add(index);
        }
    }
}
