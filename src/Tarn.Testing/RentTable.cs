namespace Tarn.Testing;

/// <summary>What is rented in scopes and not returned yet.</summary>
/// <remarks>
/// Two entries have one key when a pool lends a returned buffer before it tells of the return, or when two buffers of one length share a
/// hash code. A return is then the one of the older rent, as it is in the first case. In the second, the counts are right, and only a stack
/// may be the other's. Under the lock, the table rents from no pool: those are what it observes.
/// </remarks>
internal sealed class RentTable
{
    private readonly Lock _lock = new();
    private readonly Dictionary<RentKey, List<Rent>> _rents = [];

    internal void Add(RentKey key, Rent rent)
    {
        lock (_lock)
        {
            if (!_rents.TryGetValue(key, out List<Rent>? rents))
            {
                _rents[key] = rents = [];
            }

            rents.Add(rent);
        }
    }

    /// <summary>Removes the oldest rent of a buffer, if it is followed.</summary>
    internal void Remove(RentKey key)
    {
        lock (_lock)
        {
            if (_rents.TryGetValue(key, out List<Rent>? rents))
            {
                rents.RemoveAt(0);
                if (rents.Count == 0)
                {
                    _rents.Remove(key);
                }
            }
        }
    }

    /// <summary>The rents of a scope and of those within it, in their order.</summary>
    internal List<Rent> FindIn(BufferScope scope)
    {
        List<Rent> found = [];
        lock (_lock)
        {
            foreach (List<Rent> rents in _rents.Values)
            {
                foreach (Rent rent in rents)
                {
                    if (rent.Scope.IsWithin(scope))
                    {
                        found.Add(rent);
                    }
                }
            }
        }

        found.Sort(static (one, other) => one.Order.CompareTo(other.Order));
        return found;
    }

    /// <summary>Drops the rents of a scope that has ended, unless a scope around it still follows them.</summary>
    internal void Forget(BufferScope scope)
    {
        lock (_lock)
        {
            // A dictionary allows to remove what is being enumerated.
            foreach ((RentKey key, List<Rent> rents) in _rents)
            {
                rents.RemoveAll(rent => rent.Scope.IsWithin(scope) && !rent.Scope.IsFollowed);
                if (rents.Count == 0)
                {
                    _rents.Remove(key);
                }
            }
        }
    }
}
