using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>The idle arrays whose lengths are no size class's: those that <see cref="BufferPool{T}.RentExact"/> made.</summary>
/// <remarks>
/// Guarded by one lock: exact arrays are asked for by code that hands them to something slow. At most <see cref="MaxPerLength"/> are
/// kept of a length, fewer where the pool says so, within the pool's cap. A length stays known for as long as the pool lives, so that an
/// array rented long ago is still accepted; after <see cref="MaxKnownLengths"/> lengths the pool no longer distinguishes them and accepts,
/// without keeping it, any.
/// </remarks>
internal sealed class ExactLengths(PoolCore pool, int maxPerLength)
{
    private const int MaxPerLength = 16;
    private const int MaxKnownLengths = 4096;

    private readonly int _maxPerLength = Math.Min(MaxPerLength, maxPerLength);
    private readonly Lock _lock = new();
    private readonly Dictionary<int, Shelf> _shelves = [];
    private bool _acceptsAny;

    /// <summary>Bytes kept idle.</summary>
    internal long RetainedBytes
    {
        get
        {
            lock (_lock)
            {
                long bytes = 0;
                foreach (Shelf shelf in _shelves.Values)
                {
                    bytes += shelf.Idle.Count * BytesOf(shelf.Length);
                }

                return bytes;
            }
        }
    }

    /// <summary>An idle array of <paramref name="length"/>, or null: then the caller makes one. The length is known from now on.</summary>
    internal Array? Take(int length)
    {
        lock (_lock)
        {
            if (!_shelves.TryGetValue(length, out Shelf? shelf))
            {
                if (_shelves.Count < MaxKnownLengths)
                {
                    _shelves.Add(length, new Shelf(length));
                }
                else
                {
                    _acceptsAny = true;
                }

                return null;
            }

            if (shelf.Idle.Count == 0)
            {
                return null;
            }

            Array array = shelf.Idle[^1].Array;
            shelf.Idle.RemoveAt(shelf.Idle.Count - 1);
            pool.Budget.Release(BytesOf(length));
            return array;
        }
    }

    /// <summary>Whether an array of this length may have come from here.</summary>
    internal bool Knows(int length)
    {
        lock (_lock)
        {
            return _acceptsAny || _shelves.ContainsKey(length);
        }
    }

    /// <summary>Keeps an array of a known length; false when there is no room.</summary>
    internal bool Give(Array array)
    {
        lock (_lock)
        {
            if (!_shelves.TryGetValue(array.Length, out Shelf? shelf))
            {
                return false;
            }

            if (shelf.Idle.Count > 0 && shelf.Idle[^1].Array == array)
            {
                PoolThrow.ReturnedTwice(array.Length);
            }

            if (shelf.Idle.Count >= _maxPerLength
                || !pool.Budget.TryReserve(BytesOf(array.Length)))
            {
                return false;
            }

            if (!ListRoom.TryAdd(shelf.Idle, new Held(array, pool.Schedule.Now)))
            {
                pool.Budget.Release(BytesOf(array.Length));
                return false;
            }
        }

        pool.Schedule.Wake();
        return true;
    }

    /// <summary>Drops the arrays that came back before <paramref name="before"/>.</summary>
    internal void Trim(TimeSpan before, ref TrimCount trimmed)
    {
        lock (_lock)
        {
            // Without enumerators, whose types are made when first asked for: a finalizer comes here, and may find no memory for that.
            foreach ((int length, Shelf shelf) in _shelves)
            {
                int dropped = 0;
                while (dropped < shelf.Idle.Count && shelf.Idle[dropped].Since <= before)
                {
                    trimmed.Add(shelf.Idle[dropped].Array, BytesOf(length));
                    dropped++;
                }

                shelf.Idle.RemoveRange(0, dropped);
                pool.Budget.Release(dropped * BytesOf(length));
            }
        }
    }

    private long BytesOf(int length) => (long)length * pool.ElementSize;

    private sealed class Shelf(int length)
    {
        internal readonly int Length = length;

        /// <summary>The last is taken first, so the first ones are those that have been idle the longest.</summary>
        internal readonly List<Held> Idle = [];
    }

    private readonly record struct Held(Array Array, TimeSpan Since);
}
