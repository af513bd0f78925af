namespace Tarn;

/// <summary>Lists that change where there may be no memory.</summary>
internal static class ListRoom
{
    /// <summary>Adds an item; false when there is no memory for it, and nothing has changed.</summary>
    internal static bool TryAdd<T>(List<T> list, T item)
    {
        try
        {
            list.Add(item);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    /// <summary>Removes an object; false when the list does not hold it. Needs no memory.</summary>
    /// <remarks>
    /// The list's own method asks the default comparer. It is made at its first use, and where there is no memory for it then, its type is
    /// unusable for ever.
    /// </remarks>
    internal static bool Remove<T>(List<T> list, T item)
        where T : class
    {
        for (int i = 0; i < list.Count; i++)
        {
            if (ReferenceEquals(list[i], item))
            {
                list.RemoveAt(i);
                return true;
            }
        }

        return false;
    }
}
