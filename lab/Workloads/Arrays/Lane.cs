using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// A queue of buffers from exactly one thread to exactly one other, or to itself. Its buffers are rented and not returned yet: a place in
/// the queue becomes free when its buffer has gone back to the pool.
/// </summary>
/// <remarks>Invariant: 0 ≤ sent − returned ≤ capacity. Only its own side writes each position, with release order.</remarks>
internal sealed class Lane
{
    /// <summary>A power of two.</summary>
    public const int Capacity = 8;

    private readonly byte[][] _slots = new byte[Capacity][];
    private RingPosition _sent;
    private RingPosition _returned;

    /// <summary>Buffers that were sent and not returned yet; the sender may see too many, the other side too few.</summary>
    public int Count => Volatile.Read(ref _sent.Value) - Volatile.Read(ref _returned.Value);

    /// <summary>The lengths of those buffers together; called by the sender only.</summary>
    public long Bytes
    {
        get
        {
            long bytes = 0;
            for (int at = Volatile.Read(ref _returned.Value); at != _sent.Value; at++)
            {
                bytes += _slots[at & (Capacity - 1)].Length;
            }

            return bytes;
        }
    }

    /// <summary>Called by the sender, which makes sure that there is room.</summary>
    public void Send(byte[] buffer)
    {
        int position = _sent.Value;
        _slots[position & (Capacity - 1)] = buffer;
        Volatile.Write(ref _sent.Value, position + 1);
    }

    /// <summary>The oldest buffer, which stays in the lane; called by the receiver, which knows that there is one.</summary>
    public byte[] Peek() => _slots[_returned.Value & (Capacity - 1)];

    /// <summary>The oldest buffer was returned to its pool.</summary>
    public void NoteReturned() => Volatile.Write(ref _returned.Value, _returned.Value + 1);
}
