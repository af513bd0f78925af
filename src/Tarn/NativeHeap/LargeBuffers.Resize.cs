namespace Tarn;

/// <content>Buffers that grow by moving their memory, or shrink in place.</content>
internal sealed partial class LargeBuffers
{
    /// <summary>
    /// Grows a buffer in use by moving its memory instead of its contents. Returns 0, with nothing changed, where the system cannot do
    /// that.
    /// </summary>
    internal nint TryGrow(nint address, nuint size)
    {
        LargeBuffer? buffer;
        lock (_lock)
        {
            if (!_all.TryGetValue(address, out buffer) || buffer.IsKept || buffer.Size != buffer.ReservedSize)
            {
                return 0;
            }

            TakeOut(buffer);
        }

        nint target = memory.Reserve(size, BlockSizes.AlignmentOf(size));
        bool isMoved = target != 0 && memory.TryMove(address, buffer.Size, target, size);
        if (target != 0 && !isMoved)
        {
            memory.Release(target, size);
        }

        if (isMoved && size >= HugeFrom)
        {
            memory.PreferHugePages(target, size);
        }

        if (isMoved)
        {
            LargeBuffer moved = new(target, size);
            CountReserved((long)(moved.ReservedSize - buffer.ReservedSize));
            committed.Add((long)(size - buffer.Size));
            buffer = moved;
        }

        PutIn(buffer);
        return isMoved ? target : 0;
    }

    /// <summary>
    /// Shrinks a buffer in use in place. Returns false if its address does not suit a buffer of that size, or it is not in use.
    /// </summary>
    internal bool TryShrink(nint address, nuint size)
    {
        LargeBuffer? buffer;
        lock (_lock)
        {
            if (!_all.TryGetValue(address, out buffer) || buffer.IsKept || buffer.Size <= size
                || ((nuint)address & (BlockSizes.AlignmentOf(size) - 1)) != 0)
            {
                return false;
            }

            TakeOut(buffer);
        }

        nuint less = buffer.Size - size;
        memory.Decommit(address + (nint)size, less);
        committed.Remove((long)less);
        buffer.Size = size;
        PutIn(buffer);
        return true;
    }
}
