using System.Runtime.ExceptionServices;

namespace Tarn;

/// <summary>Returns segments to their pool or heap, cleared as the options require.</summary>
internal static class SegmentReturn
{
    /// <summary>Returns one segment, whose first <paramref name="dirty"/> bytes were written; a larger value means all of them.</summary>
    internal static void GiveBack(in Segment segment, long dirty, PooledMemoryStreamOptions options)
    {
        if (!segment.Hold.IsDefault)
        {
            segment.Hold.Dispose();
            return;
        }

        int written = (int)Math.Clamp(dirty, 0, segment.Size);
        if (written > 0 && options.Clearing == StreamClearing.Background && BackgroundClearing.TryAdd(segment, written, options))
        {
            return;
        }

        // If the heap was disposed first, its memory is gone and there is nothing to clear. A native stream may also have arrays.
        if (options.Clearing != StreamClearing.None && !(segment.IsNative && options.Heap!.IsDisposed))
        {
            segment.Clear(written);
        }

        segment.Return(options);
    }

    /// <summary>
    /// Returns all segments of a table, whose bytes up to <see cref="SegmentTable.ExposedTo"/> were written. If a pool with checks refuses
    /// a segment because it was returned already, the others are still returned.
    /// </summary>
    internal static void GiveBack(SegmentTable table, PooledMemoryStreamOptions options)
    {
        ExceptionDispatchInfo? refusal = null;
        foreach (ref Segment segment in table.Segments)
        {
            try
            {
                GiveBack(segment, table.ExposedTo - segment.Start, options);
            }
            catch (InvalidOperationException e)
            {
                refusal ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        if (table.Pending is { } pending)
        {
            table.Pending = null;
            try
            {
                GiveBack(new Segment { Array = pending, Size = pending.Length }, pending.Length, options);
            }
            catch (InvalidOperationException e)
            {
                refusal ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        refusal?.Throw();
    }
}
