namespace Tarn.Testing;

/// <summary>What is rented in scopes and not returned yet.</summary>
/// <remarks>
/// Pools tell a buffer by its hash code, which two buffers can share. Then the one rented last counts as returned first: the counts are
/// right, and only a stack may be the other's.
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

    /// <summary>Removes the latest rent of a buffer, if it is followed.</summary>
    internal void Remove(RentKey key)
    {
        lock (_lock)
        {
            if (_rents.TryGetValue(key, out List<Rent>? rents))
            {
                rents.RemoveAt(rents.Count - 1);
                if (rents.Count == 0)
                {
                    _rents.Remove(key);
                }
            }
        }
    }

    internal UnreturnedBuffer[] FindIn(BufferScope scope)
    {
        lock (_lock)
        {
            return
            [
                .. _rents.Values.SelectMany(static rents => rents)
                    .Where(rent => rent.Scope.IsWithin(scope))
                    .OrderBy(static rent => rent.Order)
                    .Select(static rent => new UnreturnedBuffer(rent)),
            ];
        }
    }

    /// <summary>Drops the rents of a scope that has ended, unless a scope around it still follows them.</summary>
    internal void Forget(BufferScope scope)
    {
        lock (_lock)
        {
            foreach ((RentKey key, List<Rent> rents) in _rents.ToArray())
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
