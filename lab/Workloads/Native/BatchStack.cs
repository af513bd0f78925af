namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// The one list between xmalloc-test's producers and consumers: last in, first out, under one lock, and bounded. The original has a
/// condition for each side; a monitor has one, so both sides are woken, but only when the list stops being empty or full.
/// </summary>
internal sealed unsafe class BatchStack(int capacity)
{
    private readonly object _lock = new();
    private Batch* _top;
    private int _count;
    private bool _isStopped;

    /// <summary>False when the stack was stopped before there was room: the batch stays the caller's.</summary>
    public bool TryPush(Batch* batch)
    {
        lock (_lock)
        {
            while (_count == capacity && !_isStopped)
            {
                Monitor.Wait(_lock);
            }

            if (_isStopped)
            {
                return false;
            }

            batch->Next = _top;
            _top = batch;
            if (_count++ == 0)
            {
                Monitor.PulseAll(_lock);
            }

            return true;
        }
    }

    /// <summary>Null when the stack was stopped and is empty.</summary>
    public Batch* Pop()
    {
        lock (_lock)
        {
            while (_count == 0 && !_isStopped)
            {
                Monitor.Wait(_lock);
            }

            if (_count == 0)
            {
                return null;
            }

            Batch* batch = _top;
            _top = batch->Next;
            if (_count-- == capacity)
            {
                Monitor.PulseAll(_lock);
            }

            return batch;
        }
    }

    /// <summary>Nobody waits from here on.</summary>
    public void Stop()
    {
        lock (_lock)
        {
            _isStopped = true;
            Monitor.PulseAll(_lock);
        }
    }
}
