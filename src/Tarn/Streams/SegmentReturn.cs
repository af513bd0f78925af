using System.Runtime.ExceptionServices;

namespace Tarn;

/// <summary>Gives segments back to where they came from, cleared as the options ask.</summary>
internal static class SegmentReturn
{
    /// <summary>Gives one segment back, of which the first <paramref name="dirty"/> bytes were written, or all if that is more.</summary>
    internal static void GiveBack(in Segment segment, long dirty, PooledMemoryStreamOptions options)
    {
        int written = (int)Math.Clamp(dirty, 0, segment.Size);
        if (written > 0 && options.Zeroing == StreamZeroing.Background && BackgroundClearing.TryAdd(segment, written, options))
        {
            return;
        }

        // With a heap that was disposed first its memory is gone: there is nothing to clear. A native stream may have arrays as well.
        if (options.Zeroing != StreamZeroing.None && !(segment.IsNative && options.Heap!.IsDisposed))
        {
            segment.Clear(written);
        }

        segment.Return(options);
    }

    /// <summary>
    /// Gives all segments of a table back, of which the bytes up to <see cref="SegmentTable.ExposedTo"/> were written. One that a pool with
    /// checks refuses, because someone had returned it already, keeps none of the others.
    /// </summary>
    internal static void GiveBack(SegmentTable table, PooledMemoryStreamOptions options)
    {
        ExceptionDispatchInfo? refusal = null;
        if (table.Pending is { } pending)
        {
            GiveBack(new Segment { Array = pending, Size = pending.Length }, pending.Length, options);
        }

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

        refusal?.Throw();
    }
}
