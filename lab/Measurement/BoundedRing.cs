using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A queue from exactly one thread to exactly one other. All pools are handed over through the same ring, so what it costs is the same
/// for each. Slots are read and written with acquire and release order, and a slot that is null is empty: no counters are shared.
/// </summary>
internal sealed class BoundedRing<T>
    where T : class
{
    private readonly T?[] _slots;
    private readonly int _mask;
    private End _producer;
    private End _consumer;

    public BoundedRing(int capacity)
    {
        if (!System.Numerics.BitOperations.IsPow2(capacity))
            throw new ArgumentOutOfRangeException(nameof(capacity), capacity, "The capacity is a power of two.");

        _slots = new T?[capacity];
        _mask = capacity - 1;
    }

    /// <summary>Called by the producing thread only.</summary>
    public bool TryPush(T item)
    {
        ref T? slot = ref _slots[_producer.Position & _mask];
        if (Volatile.Read(ref slot) is not null)
            return false;

        Volatile.Write(ref slot, item);
        _producer.Position++;
        return true;
    }

    /// <summary>Called by the consuming thread only.</summary>
    public bool TryPop([NotNullWhen(true)] out T? item)
    {
        ref T? slot = ref _slots[_consumer.Position & _mask];
        item = Volatile.Read(ref slot);
        if (item is null)
            return false;

        Volatile.Write(ref slot, null);
        _consumer.Position++;
        return true;
    }

    // Each end's position has cache lines of its own: the other thread never reads it.
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct End
    {
        [FieldOffset(128)]
        public int Position;
    }
}
