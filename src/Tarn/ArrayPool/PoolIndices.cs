namespace Tarn;

/// <summary>Gives each pool alive an index, the smallest free one, so that directories stay short.</summary>
internal static class PoolIndices
{
    private static readonly Lock s_lock = new();
    private static readonly SortedSet<int> s_free = [];
    private static int s_next;

    internal static int Take()
    {
        lock (s_lock)
        {
            if (s_free.Count == 0)
            {
                return s_next++;
            }

            int index = s_free.Min;
            s_free.Remove(index);
            return index;
        }
    }

    /// <summary>Makes the index free; no section may serve its pool any more.</summary>
    internal static void GiveBack(int index)
    {
        lock (s_lock)
        {
            s_free.Add(index);
        }
    }
}
