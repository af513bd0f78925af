// Azure/azure-sdk-for-net#34800 (ArrayBackedPropertyBag).
// Dispose cleared and returned the overflow array but kept the reference: a request disposed twice cleared an array
// that another request had rented meanwhile, and its headers vanished. The fix lets go of the array first.
using System;
using System.Buffers;
using System.Collections.Generic;

internal struct PropertyBag<TKey, TValue>
    where TKey : struct, IEquatable<TKey>
{
    private KeyValuePair<TKey, TValue> _first;
    private KeyValuePair<TKey, TValue>[]? _rest;
    private int _count;

    internal readonly int Count => _count;

    internal void Add(TKey key, TValue value)
    {
        if (_count == 0)
        {
            _first = new(key, value);
        }
        else
        {
            if (_rest == null)
            {
                _rest = ArrayPool<KeyValuePair<TKey, TValue>>.Shared.Rent(8);
            }
            else if (_rest.Length < _count)
            {
                KeyValuePair<TKey, TValue>[] larger = ArrayPool<KeyValuePair<TKey, TValue>>.Shared.Rent(_rest.Length << 1);
                _rest.CopyTo(larger, 0);
                KeyValuePair<TKey, TValue>[] old = _rest;
                _rest = larger;
                ArrayPool<KeyValuePair<TKey, TValue>>.Shared.Return(old, clearArray: true);
            }

            _rest[_count - 1] = new(key, value);
        }

        _count++;
    }

    public void Dispose()
    {
        _count = 0;
        _first = default;
        if (_rest == null)
        {
            return;
        }

        KeyValuePair<TKey, TValue>[] rest = _rest;
        _rest = null;
        Array.Clear(rest, 0, rest.Length);
        ArrayPool<KeyValuePair<TKey, TValue>>.Shared.Return(rest);
    }
}
