using System;
using System.Collections.Generic;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Holds the values of a table by number, which copies share until one of them changes. Values that were never set are default.
/// </summary>
/// <typeparam name="T">The type of the values.</typeparam>
/// <remarks>Most copies of a state differ from it in one table or none. Not safe for concurrent use: copies share their memory.</remarks>
internal struct SharedArray<T>
{
    private T[]? _values;
    private bool _isShared;

    /// <summary>Gets the number of values up to the last that was set.</summary>
    internal readonly int Length => _values is null ? 0 : _values.Length;

    internal T this[int index]
    {
        readonly get => _values is { } values && index < values.Length ? values[index] : default!;
        set
        {
            if (EqualityComparer<T>.Default.Equals(value, this[index]))
            {
                return;
            }

            if (_isShared || index >= Length)
            {
                T[] values = new T[Math.Max(Length, index + 1)];
                Array.Copy(_values ?? [], values, Length);
                _values = values;
                _isShared = false;
            }

            _values![index] = value;
        }
    }

    /// <summary>Returns a copy.</summary>
    internal SharedArray<T> Share()
    {
        _isShared = true;
        return this;
    }

    internal readonly bool IsEqualTo(SharedArray<T> other)
    {
        if (ReferenceEquals(_values, other._values))
        {
            return true;
        }

        for (int i = Math.Max(Length, other.Length) - 1; i >= 0; i--)
        {
            if (!EqualityComparer<T>.Default.Equals(this[i], other[i]))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Returns a hash code continued with those of the values.</summary>
    internal readonly int AddTo(int hash)
    {
        for (int i = 0; i < Length; i++)
        {
            T value = _values![i];
            if (!EqualityComparer<T>.Default.Equals(value, default!))
            {
                hash = unchecked((hash * 31) + (i * 17) + value!.GetHashCode());
            }
        }

        return hash;
    }
}
