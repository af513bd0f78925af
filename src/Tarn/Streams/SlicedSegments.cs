namespace Tarn;

/// <summary>Takes back the arrays of streams that slices held last, as the options of the streams require.</summary>
internal sealed class SlicedSegments(PooledMemoryStreamOptions options) : IArrayOrigin<byte>
{
    /// <summary>Makes the first bytes of an array of a stream a slice, whose last holder returns the array.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory to note the holder; the array stays the stream's.</exception>
    internal static CountedSlice<byte> Share(byte[] array, int length, PooledMemoryStreamOptions options)
    {
        bool isPlain = options.Clearing == StreamClearing.None && options.Budget is null;
        return CountedSlice<byte>.Over(
            options.Pool ?? BufferPool<byte>.Shared, array, length, isPlain ? null : new SlicedSegments(options));
    }

    /// <inheritdoc/>
    public void TakeBack(byte[] array) => SegmentReturn.GiveBack(new Segment { Array = array, Size = array.Length }, array.Length, options);
}
