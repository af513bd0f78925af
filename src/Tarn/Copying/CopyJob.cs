namespace Tarn;

/// <summary>One large copy, shared by several threads.</summary>
/// <remarks>The caller keeps the memory valid until every slice is copied. A thread that took no slice never touches it.</remarks>
internal sealed unsafe class CopyJob(byte* source, byte* destination, nuint size, nuint whole, int helpers)
{
    /// <summary>
    /// The size of a slice: large enough that taking one costs almost nothing, small enough that threads finish at about the same time.
    /// </summary>
    private const uint SliceSize = 256 << 10;

    private readonly long _slices = (long)((size + SliceSize - 1) / SliceSize);
    private long _taken;
    private long _done;
    private int _places = helpers;

    /// <summary>Helps with the copy. Does nothing when there are enough helpers: more threads may arrive than this copy woke.</summary>
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
            BufferCopy.CopyPart(source + offset, destination + offset, count, whole);
            Interlocked.Increment(ref _done);
        }
    }

    /// <summary>Waits for the other threads' last slices. That takes some microseconds, so it spins and yields.</summary>
    internal void WaitUntilDone()
    {
        SpinWait spin = default;
        while (Volatile.Read(ref _done) < _slices)
        {
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }
}
