namespace Tarn;

/// <summary>One large copy that several threads take part in.</summary>
/// <remarks>The memory is the caller's until every slice is copied; a thread that took no slice never touches it.</remarks>
internal sealed unsafe class CopyJob(byte* source, byte* destination, nuint size, int helpers)
{
    /// <summary>Large enough that taking one costs nothing, small enough that threads finish at about the same time.</summary>
    private const uint SliceSize = 256 << 10;

    private readonly long _slices = (long)((size + SliceSize - 1) / SliceSize);
    private long _taken;
    private long _done;
    private int _places = helpers;

    /// <summary>
    /// Takes part as one of the helpers; does nothing when there are enough: more may come than were woken for this copy.
    /// </summary>
    internal void Help()
    {
        if (Interlocked.Decrement(ref _places) >= 0)
        {
            TakePart();
        }
    }

    /// <summary>Copies slices until none is left.</summary>
    internal void TakePart()
    {
        while (Interlocked.Increment(ref _taken) is long slice && slice <= _slices)
        {
            nuint offset = (nuint)(slice - 1) * SliceSize;
            nuint count = Math.Min(SliceSize, size - offset);
            Buffer.MemoryCopy(source + offset, destination + offset, count, count);
            Interlocked.Increment(ref _done);
        }
    }

    /// <summary>The other threads are copying their last slices: some microseconds, so the wait is a spin that yields.</summary>
    internal void WaitUntilDone()
    {
        SpinWait spin = default;
        while (Volatile.Read(ref _done) < _slices)
        {
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }
}
