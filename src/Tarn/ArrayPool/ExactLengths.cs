using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>The idle arrays whose lengths belong to no size class, allocated by <see cref="BufferPool{T}.RentExact"/>.</summary>
/// <remarks>
/// One lock guards the lists, because code that needs exact arrays passes them to slow operations. The pool keeps at most
/// <see cref="MaxPerLength"/> arrays of a length, or fewer if its options require that, within its cap. A length stays known as long as the
/// pool lives, so the pool still accepts an array rented long ago. After <see cref="MaxKnownLengths"/> lengths the pool no longer
/// distinguishes them. It then accepts any length and drops the array.
/// </remarks>
internal sealed class ExactLengths(PoolCore pool, int maxPerLength)
{
    private const int MaxPerLength = 16;
    private const int MaxKnownLengths = 4096;

    private readonly int _maxPerLength = Math.Min(MaxPerLength, maxPerLength);
    private readonly Lock _lock = new();
    private readonly Dictionary<int, Shelf> _shelves = [];
    private bool _acceptsAny;

    /// <summary>The bytes kept idle.</summary>
    internal long RetainedBytes
    {
        get
        {
            using (_lock.Hold())
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

    /// <summary>
    /// Takes an idle array of <paramref name="length"/>, or returns null, and the caller allocates one. The length is known from now on.
    /// </summary>
    internal Array? Take(int length)
    {
        using (_lock.Hold())
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
        using (_lock.Hold())
        {
            return _acceptsAny || _shelves.ContainsKey(length);
        }
    }

    /// <summary>Whether an array is the one that would be handed out next, and so is returned twice.</summary>
    internal bool IsNext(Array array)
    {
        using (_lock.Hold())
        {
            return _shelves.TryGetValue(array.Length, out Shelf? shelf) && shelf.Idle.Count > 0 && shelf.Idle[^1].Array == array;
        }
    }

    /// <summary>Keeps an array of a known length; false when there is no room.</summary>
    internal bool Give(Array array)
    {
        bool isKept = TryGive(array, out bool hadNoRoom)
            || (hadNoRoom && pool.Schedule.TryMakeRoom(pool.Budget, BytesOf(array.Length)) && TryGive(array, out _));
        if (isKept)
        {
            pool.Schedule.Wake();
        }

        return isKept;
    }

    private bool TryGive(Array array, out bool hadNoRoom)
    {
        hadNoRoom = false;
        using (_lock.Hold())
        {
            if (!_shelves.TryGetValue(array.Length, out Shelf? shelf))
            {
                return false;
            }

            if (shelf.Idle.Count > 0 && shelf.Idle[^1].Array == array)
            {
                PoolThrow.ReturnedTwice(array.Length);
            }

            if (shelf.Idle.Count >= _maxPerLength)
            {
                return false;
            }

            if (!pool.Budget.TryReserve(BytesOf(array.Length)))
            {
                hadNoRoom = true;
                return false;
            }

            if (!ListRoom.TryAdd(shelf.Idle, new Held(array, pool.Schedule.Now)))
            {
                pool.Budget.Release(BytesOf(array.Length));
                return false;
            }
        }

        return true;
    }

    /// <summary>Drops the arrays that were returned before <paramref name="before"/>.</summary>
    internal void Trim(TimeSpan before, ref TrimCount trimmed)
    {
        using (_lock.Hold())
        {
            // Without enumerators, whose types are created on first use: a finalizer calls this method, and may have no memory for them.
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

        /// <summary>The last array is taken first, so the first ones have been idle the longest.</summary>
        internal readonly List<Held> Idle = [];
    }

    private readonly record struct Held(Array Array, TimeSpan Since);
}
