namespace Tarn;

/// <summary>Objects that are held weakly, the oldest first. Not synchronized: its owner's lock is held around every call.</summary>
internal sealed class WeakList<T>
    where T : class
{
    private readonly List<WeakReference<T>> _references = [];

    /// <summary>How many were added and did not leave; those that were collected leave late.</summary>
    internal int Count => _references.Count;

    internal void Add(T item)
    {
        if (_references.Count == _references.Capacity)
        {
            // Before the list grows, those that are gone leave it: each that is added pays for one other's leaving at most.
            RemoveWhere(static _ => false);
        }

        _references.Add(new WeakReference<T>(item));
    }

    /// <summary>Those alive now.</summary>
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

    /// <summary>Removes those that <paramref name="leaves"/> says, and those that are gone.</summary>
    internal void RemoveWhere(Predicate<T> leaves) =>
        _references.RemoveAll(reference => !reference.TryGetTarget(out T? item) || leaves(item));
}
