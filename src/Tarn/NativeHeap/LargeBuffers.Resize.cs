namespace Tarn;

/// <content>Buffers that change their size: those in use that a caller reallocates, and kept ones of another class.</content>
internal sealed partial class LargeBuffers
{
    /// <summary>Takes the kept buffer that is nearest in size to a class and at rest (<see cref="NearSizes"/>), or 0.</summary>
    /// <remarks>It counts as in use. Resize it, or give it back without keeping it.</remarks>
    internal nint TakeNear(int index)
    {
        using (_lock.Hold())
        {
            foreach (int distance in NearSizes.Distances)
            {
                int near = index + distance;
                if (NearSizes.MayServe(near, index)
                    && _kept[near] is { Count: > 0 } kept
                    && _takes - kept[0].KeptAtTake >= NearSizes.KeptRest)
                {
                    return TakeFrom(kept, 0);
                }
            }

            return 0;
        }
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
            _calls.Enter();
        }

        LargeBuffer? resized = null;
        try
        {
            resized = size > buffer.ReservedSize ? TryMove(buffer, size)
                : TryResizeInPlace(buffer, size) ? buffer : null;
        }
        finally
        {
            Settle(resized ?? buffer);
        }

        return resized?.Address ?? 0;
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
