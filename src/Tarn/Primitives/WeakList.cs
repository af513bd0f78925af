namespace Tarn;

/// <summary>Objects that are held weakly, the oldest first. Not synchronized: callers hold the owner's lock.</summary>
internal sealed class WeakList<T>
    where T : class
{
    private readonly List<WeakReference<T>> _references = [];

    /// <summary>The number of objects added and not removed. Collected objects are removed late.</summary>
    internal int Count => _references.Count;

    internal void Add(T item)
    {
        if (_references.Count == _references.Capacity)
        {
            // Before the list grows, collected objects are removed, so each addition pays for at most one removal.
            RemoveWhere(static _ => false);
        }

        _references.Add(new WeakReference<T>(item));
    }

    /// <summary>Returns the objects alive now.</summary>
    internal List<T> GetAlive()
    {
        List<T> alive = new(_references.Count);
        foreach (WeakReference<T> reference in _references)
        {
            if (reference.TryGetTarget(out T? item))
            {
                alive.Add(item);
            }
        }

        return alive;
    }

    /// <summary>Removes the objects that match <paramref name="leaves"/>, and the collected ones.</summary>
    internal void RemoveWhere(Predicate<T> leaves) =>
        _references.RemoveAll(reference => !reference.TryGetTarget(out T? item) || leaves(item));
}
