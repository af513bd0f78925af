namespace Tarn.Native;

/// <content>The table before and after a call to the system: whoever enters leaves, whatever is refused in between.</content>
internal sealed partial class LargeBuffers
{
    /// <summary>
    /// Puts a new reservation into the table as a busy buffer, not yet committed, and enters. If that throws, releases it.
    /// </summary>
    /// <exception cref="OutOfMemoryException">There is no managed memory for the entry.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    private LargeBuffer Register(nint address, nuint size)
    {
        bool isEntered = false;
        try
        {
            LargeBuffer buffer = new(address, size) { IsBusy = true };
            using (_lock.Hold())
            {
                ObjectDisposedException.ThrowIf(_calls.HasEnded, typeof(NativeHeap));

                // A buffer that has just been moved from this address may still be in the table.
                _all[address] = buffer;
                _calls.Enter();
                ReservedBytes += (long)size;
                isEntered = true;
            }

            return buffer;
        }
        finally
        {
            if (!isEntered)
            {
                memory.Release(address, size);
            }
        }
    }

    /// <summary>Undoes <see cref="Register"/>.</summary>
    private void Withdraw(LargeBuffer buffer)
    {
        using (_lock.Hold())
        {
            Unlist(buffer);
        }

        memory.Release(buffer.Address, buffer.ReservedSize);
        Leave(buffer);
    }

    /// <summary>
    /// Ends the work of a call to the system on a busy buffer, which is out from now on. Releases the buffer instead if everything was
    /// released in the meantime.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    private void EndCall(LargeBuffer buffer, bool isNew = false)
    {
        using (_lock.Hold())
        {
            if (!_calls.HasEnded)
            {
                buffer.IsBusy = false;
                CountOut(buffer);
                Rented += isNew ? 1 : 0;
                Created += isNew ? 1 : 0;
                _calls.Leave();
                return;
            }

            Unlist(buffer);
        }

        Release(buffer);
        throw new ObjectDisposedException(nameof(NativeHeap));
    }

    /// <summary>Takes a buffer out of the table unless another one has its address. Under the lock.</summary>
    private void Unlist(LargeBuffer buffer)
    {
        if (_all.TryGetValue(buffer.Address, out LargeBuffer? listed) && listed == buffer)
        {
            _all.Remove(buffer.Address);
        }
    }

    /// <summary>Takes a buffer out of the table for a call to the system, and enters. The buffer still counts. Under the lock.</summary>
    private void TakeOut(LargeBuffer buffer)
    {
        _all.Remove(buffer.Address);
        _calls.Enter();
    }

    /// <summary>Returns a buffer that was taken out to the system, and leaves.</summary>
    private void Release(LargeBuffer buffer)
    {
        committed.Remove((long)buffer.Size);
        memory.Release(buffer.Address, buffer.ReservedSize);
        Leave(buffer);
    }

    /// <summary>Leaves after the reservation of a buffer has gone.</summary>
    private void Leave(LargeBuffer buffer)
    {
        using (_lock.Hold())
        {
            ReservedBytes -= (long)buffer.ReservedSize;
            _calls.Leave();
        }
    }
}
