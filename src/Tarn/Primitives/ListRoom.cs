namespace Tarn;

/// <summary>Lists that may find no memory to grow.</summary>
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
}
