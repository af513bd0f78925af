namespace Tarn;

/// <summary>Gives segments back to where they came from, cleared as the options ask.</summary>
internal static class SegmentReturn
{
    /// <summary>Gives one segment back, of which the first <paramref name="dirty"/> bytes were written, or all if that is more than it has.</summary>
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
}
