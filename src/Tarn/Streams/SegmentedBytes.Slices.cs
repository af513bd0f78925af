namespace Tarn;

/// <content>Slices of the contents.</content>
internal unsafe partial struct SegmentedBytes
{
    /// <summary>Takes a slice of a part of the contents: of their memory, if the part is in one array; else of a copy.</summary>
    /// <remarks>Nothing may change the contents from then on.</remarks>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the contents are unchanged.</exception>
    internal CountedSlice<byte> Slice(long start, int length)
    {
        if (Options.Heap is null && Length > 0)
        {
            SegmentTable table = GetTable();
            ref Segment segment = ref table[table.Find(start)];
            if (length <= segment.End - start)
            {
                if (segment.Hold.IsDefault)
                {
                    segment.Hold = SlicedSegments.Share(segment.Array!, segment.Size, Options);
                }

                return segment.Hold.Slice((int)(start - segment.Start), length);
            }
        }

        return Copy(start, length);
    }

    /// <summary>Moves the contents to a slice, and leaves nothing here: without a copy, if they are in one array.</summary>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the contents are unchanged.</exception>
    internal CountedSlice<byte> DetachSlice()
    {
        if (Table is null && CurrentArray is { } only)
        {
            CountedSlice<byte> whole = SlicedSegments.Share(only, (int)Length, Options);
            Forget();
            return whole;
        }

        CountedSlice<byte> slice = Slice(0, (int)Length);
        try
        {
            Empty();
        }
        catch
        {
            slice.Dispose();
            throw;
        }

        return slice;
    }

    private readonly CountedSlice<byte> Copy(long start, int length)
    {
        byte[] array = Rent(length);
        try
        {
            Read(start, array.AsSpan(0, length));
            return SlicedSegments.Share(array, length, Options);
        }
        catch
        {
            GiveBackWritten(array);
            throw;
        }
    }
}
