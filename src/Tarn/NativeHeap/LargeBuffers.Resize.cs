namespace Tarn.Native;

/// <content>Buffers that change their size: those in use that a caller reallocates, and kept ones of a near class.</content>
internal sealed partial class LargeBuffers
{
    /// <summary>
    /// The near classes, at most a doubling away, as distances from the one that is wanted. A larger buffer needs no fresh memory; one of
    /// the next two classes would have been taken whole.
    /// </summary>
    private static ReadOnlySpan<int> Distances => [-1, -2, 3, -3, 4, -4];

    /// <summary>
    /// Where a new buffer of a class would exceed the bound, resizes a kept one of a near class, which needs fewer fresh OS pages than a
    /// new one. Returns 0 if there is none, or the system cannot do that.
    /// </summary>
    internal nint TakeNear(int index)
    {
        nuint size = BlockSizes.SizeOf(index);
        nint near = FindNear(index, (long)size);
        if (near == 0)
        {
            return 0;
        }

        nint resized = 0;
        try
        {
            resized = TryResize(near, size);
        }
        finally
        {
            if (resized == 0)
            {
                TryGetSize(near, out nuint left);
                TryRelease(near, left);
            }
        }

        using (_lock.Hold())
        {
            Rented += resized == 0 ? 0 : 1;
        }

        return resized;
    }

    /// <summary>
    /// Gives a buffer in use another size, without copying its contents: it shrinks in place, and grows into address space that it gave up,
    /// or by moving its memory. Its contents stay up to the smaller of the two sizes; what is added has any contents.
    /// </summary>
    /// <returns>Its address; 0, with nothing changed, where the system cannot do that or no buffer in use begins there.</returns>
    /// <exception cref="OutOfMemoryException">There is no managed memory. Nothing has changed.</exception>
    internal nint TryResize(nint address, nuint size)
    {
        LargeBuffer? buffer;
        using (_lock.Hold())
        {
            if (!TryFindOut(address, out buffer))
            {
                return 0;
            }

            buffer.IsBusy = true;
            _outBytes -= (long)buffer.Size;
            _calls.Enter();
        }

        LargeBuffer? resized = null;
        try
        {
            resized = size > buffer.ReservedSize ? TryMove(buffer, size)
                : TryResizeInPlace(buffer, size) ? buffer : null;
            if (resized is not null)
            {
                resized.LentSize = size;
            }
        }
        finally
        {
            EndCall(resized ?? buffer);
        }

        ReleaseSurplus();

        return resized?.Address ?? 0;
    }

    /// <summary>Takes the kept buffer of the nearest class, which counts as in use; 0 when there is none, or none is needed.</summary>
    private nint FindNear(int index, long size)
    {
        using (_lock.Hold())
        {
            if (!Exceeds(size))
            {
                return 0;
            }

            foreach (int distance in Distances)
            {
                int near = index + distance;
                if (MayServe(near, index) && _kept[near].First is { } buffer)
                {
                    Unkeep(buffer, near);
                    buffer.LentSize = buffer.Size;
                    CountOut(buffer);
                    return buffer.Address;
                }
            }

            return 0;
        }
    }

    /// <summary>Resizes a busy buffer within its reservation, whose alignment suits every smaller size.</summary>
    private bool TryResizeInPlace(LargeBuffer buffer, nuint size)
    {
        if (size == buffer.Size)
        {
            return true;
        }

        if (size < buffer.Size)
        {
            memory.Decommit(buffer.Address + (nint)size, buffer.Size - size);
        }
        else if (!memory.Commit(buffer.Address + (nint)buffer.Size, size - buffer.Size))
        {
            return false;
        }

        CountCommitted((long)size - (long)buffer.Size);
        buffer.Size = size;
        return true;
    }

    /// <summary>
    /// Moves the memory of a busy buffer into a larger reservation, and leaves with the buffer that is gone; null, with nothing changed, if
    /// refused.
    /// </summary>
    private LargeBuffer? TryMove(LargeBuffer buffer, nuint size)
    {
        nuint before = buffer.Size;
        nint target = Reserve(size);
        if (target == 0)
        {
            return null;
        }

        LargeBuffer moved = Register(target, size);
        if (!TryResizeInPlace(buffer, buffer.ReservedSize) || !memory.TryMove(buffer.Address, buffer.Size, target, size))
        {
            Withdraw(moved);
            TryResizeInPlace(buffer, before);
            return null;
        }

        using (_lock.Hold())
        {
            Unlist(buffer);
        }

        Leave(buffer);
        if (size >= HugeFrom)
        {
            memory.PreferHugePages(target, size);
        }

        CountCommitted((long)(size - buffer.Size));
        return moved;
    }

    private void CountCommitted(long more)
    {
        if (more > 0)
        {
            committed.Add(more);
        }
        else
        {
            committed.Remove(-more);
        }
    }
}
