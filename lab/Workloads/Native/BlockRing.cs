using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>Addresses of blocks on their way from exactly one thread to exactly one other. It waits only on request.</summary>
/// <remarks>
/// Invariant: 0 ≤ pushed − popped ≤ capacity. Each position is written by its own side only, with release order, after the place.
/// </remarks>
internal sealed unsafe class BlockRing(int capacity)
{
    private readonly PinnedTable<nint> _places = new(capacity);
    private RingPosition _pushed;
    private RingPosition _popped;

    // What each side last saw of the other: read again only when it does not suffice.
    private RingPosition _poppedSeen;
    private RingPosition _pushedSeen;

    /// <summary>Called by the one thread only. False when the ring is full.</summary>
    public bool TryPush(void* block)
    {
        int position = _pushed.Value;
        if (position - _poppedSeen.Value == _places.Length)
        {
            _poppedSeen.Value = Volatile.Read(ref _popped.Value);
            if (position - _poppedSeen.Value == _places.Length)
            {
                return false;
            }
        }

        _places.Pointer[(uint)position % (uint)_places.Length] = (nint)block;
        Volatile.Write(ref _pushed.Value, position + 1);
        return true;
    }

    /// <summary>
    /// The same, waiting for room. False when one of the threads failed and no thread may be left to make room: the block stays the
    /// caller's.
    /// </summary>
    public bool WaitAndPush(void* block, WorkerThreads threads)
    {
        SpinWait wait = default;
        while (!TryPush(block))
        {
            if (threads.HasFailed)
            {
                return false;
            }

            wait.SpinOnce(sleep1Threshold: -1);
        }

        return true;
    }

    /// <summary>Called by the other thread only. Null when the ring is empty.</summary>
    public void* TryPop()
    {
        int position = _popped.Value;
        if (position == _pushedSeen.Value)
        {
            _pushedSeen.Value = Volatile.Read(ref _pushed.Value);
            if (position == _pushedSeen.Value)
            {
                return null;
            }
        }

        void* block = (void*)_places.Pointer[(uint)position % (uint)_places.Length];
        Volatile.Write(ref _popped.Value, position + 1);
        return block;
    }
}
