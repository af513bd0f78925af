using System.Numerics;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A queue from exactly one thread to exactly one other. All pools are handed over through the same ring, so what it costs is the same
/// for each. A side that has to wait goes on only when half the ring is ready for it, as a thread that was parked finds a queue when it
/// wakes: without that, two busy threads would pass one buffer to and fro and next to nothing would be in flight.
/// </summary>
/// <remarks>
/// Invariant: 0 ≤ produced − consumed ≤ capacity. Each position is written by its own side only, with release order, after the slot.
/// </remarks>
internal sealed class BoundedRing<T>
    where T : class
{
    private readonly T[] _slots;
    private readonly int _mask;
    private RingPosition _produced;
    private RingPosition _consumed;

    // What each side last saw of the other: read again only when it does not suffice.
    private RingPosition _consumedSeen;
    private RingPosition _producedSeen;

    public BoundedRing(int capacity)
    {
        // Half of one is none: the side that waits would not wait at all.
        if (capacity < 2 || !BitOperations.IsPow2(capacity))
        {
            throw new ArgumentOutOfRangeException(nameof(capacity), capacity, "The capacity is a power of two, from 2.");
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

    // Waiting yields but never sleeps: a sleep of a millisecond would be all that is measured.
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
