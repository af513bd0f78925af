namespace Tarn.Native;

/// <content>Counters on request.</content>
internal sealed partial class LargeBuffers
{
    /// <summary>Counts, for each size, the buffers that are out and the buffers that are kept.</summary>
    internal List<(nuint Size, long Out, long Kept)> CountBySize()
    {
        return
        [
            .. from buffer in CopyAll()
               group buffer.IsKept by buffer.Size into same
               orderby same.Key
               let kept = same.LongCount(static isKept => isKept)
               select (same.Key, same.LongCount() - kept, kept),
        ];
    }

    /// <summary>Adds the buffers that callers have, with their usable sizes.</summary>
    internal void AddInUse(List<(nint Block, nuint Usable)> inUse)
    {
        using (_lock.Hold())
        {
            foreach (LargeBuffer buffer in _all.Values)
            {
                if (buffer is { IsKept: false, IsBusy: false })
                {
                    inUse.Add((buffer.Address, buffer.LentSize));
                }
            }
        }
    }

    /// <summary>
    /// Whether the lists hold exactly the kept buffers, and the counts are those of the buffers. For tests, while no call is in progress.
    /// </summary>
    internal bool IsValid()
    {
        using (_lock.Hold())
        {
            long bytes = 0;
            int count = 0;
            for (int index = 0; index < _kept.Length; index++)
            {
                for (LargeBuffer? buffer = _kept[index].First; buffer is not null; buffer = LargeBuffer.InClass.Of(buffer).Next)
                {
                    bytes += (long)buffer.Size;
                    count++;
                    if (!buffer.IsKept || (int)BlockSizes.IndexOf(buffer.Size) != index || !_all.ContainsKey(buffer.Address))
                    {
                        return false;
                    }
                }
            }

            return bytes == KeptBytes && count == _all.Values.Count(static buffer => buffer.IsKept)
                && _outBytes == _all.Values.Where(static buffer => !buffer.IsKept).Sum(static buffer => (long)buffer.Size)
                && _outBytes <= _peak && !Exceeds(more: 0);
        }
    }

    /// <summary>The sizes of all buffers. Under the lock it only copies them, into a list that has the room already.</summary>
    private List<(nuint Size, bool IsKept)> CopyAll()
    {
        List<(nuint Size, bool IsKept)> all = [];
        while (true)
        {
            int count;
            using (_lock.Hold())
            {
                count = _all.Count;
                if (count <= all.Capacity)
                {
                    foreach (LargeBuffer buffer in _all.Values)
                    {
                        if (!buffer.IsBusy)
                        {
                            all.Add((buffer.IsKept ? buffer.Size : buffer.LentSize, buffer.IsKept));
                        }
                    }

                    return all;
                }
            }

            all = new List<(nuint Size, bool IsKept)>(count + (count / 8));
        }
    }
}
