using System.Numerics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A queue from exactly one thread to exactly one other. All pools use the same ring, so its cost is the same for each. A side that must
/// wait continues only when half the ring is ready for it, as a parked thread finds a queue when it wakes. Without this, two busy threads
/// would pass one buffer back and forth, and almost nothing would be in flight.
/// </summary>
/// <remarks>
/// Invariant: 0 ≤ produced − consumed ≤ capacity. Only its own side writes each position, with release order, after the slot.
/// </remarks>
internal sealed class BoundedRing<T>
    where T : class
{
    private readonly T[] _slots;
    private readonly int _mask;
    private RingPosition _produced;
    private RingPosition _consumed;

    // The last value that each side saw of the other. It is read again only when it does not suffice.
    private RingPosition _consumedSeen;
    private RingPosition _producedSeen;

    public BoundedRing(int capacity)
    {
        // Half of one is zero, so a waiting side would not wait at all.
        if (capacity < 2 || !BitOperations.IsPow2(capacity))
        {
            throw new ArgumentOutOfRangeException(nameof(capacity), capacity, "The capacity must be a power of two, at least 2.");
        }

        _slots = new T[capacity];
        _mask = capacity - 1;
    }

    /// <summary>Called by the producing thread only.</summary>
    public void Push(T item)
    {
        int position = _produced.Value;
        if (position - _consumedSeen.Value == _slots.Length)
        {
            WaitForRoom(position);
        }

        _slots[position & _mask] = item;
        Volatile.Write(ref _produced.Value, position + 1);
    }

    /// <summary>Called by the consuming thread only, which knows how many items are still to come.</summary>
    public T Pop(int stillToCome)
    {
        int position = _consumed.Value;
        if (position == _producedSeen.Value)
        {
            WaitForItems(position, Math.Min(stillToCome, _slots.Length / 2));
        }

        T item = _slots[position & _mask];
        Volatile.Write(ref _consumed.Value, position + 1);
        return item;
    }

    // Waiting yields but never sleeps, because a sleep of a millisecond would dominate the measurement.
    private void WaitForRoom(int position)
    {
        SpinWait wait = default;
        while (position - Volatile.Read(ref _consumed.Value) > _slots.Length / 2)
        {
            wait.SpinOnce(sleep1Threshold: -1);
        }

        _consumedSeen.Value = Volatile.Read(ref _consumed.Value);
    }

    private void WaitForItems(int position, int wanted)
    {
        SpinWait wait = default;
        while (Volatile.Read(ref _produced.Value) - position < wanted)
        {
            wait.SpinOnce(sleep1Threshold: -1);
        }

        _producedSeen.Value = Volatile.Read(ref _produced.Value);
    }
}
