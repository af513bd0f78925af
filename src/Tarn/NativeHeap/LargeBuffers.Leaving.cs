namespace Tarn;

/// <content>Buffers that trimmers took out of threads' slots, on the way to the kept ones or back to the system.</content>
internal sealed partial class LargeBuffers
{
    /// <summary>
    /// The buffer that left its slot last; <see cref="LargeBuffer.NextLeaving"/> links to the one before. Needs no memory: a slot that was
    /// closed must not lose its buffer.
    /// </summary>
    private LargeBuffer? _leaving;

    /// <summary>
    /// Notes that a buffer was taken out of a slot. It does not count as in use, and nobody may free it, until
    /// <see cref="SettleLeaving"/>.
    /// </summary>
    /// <param name="block">The buffer.</param>
    /// <param name="mayStay">Whether to keep it if the budget has room, because it was not idle long.</param>
    internal void Leave(nint block, bool mayStay)
    {
        using (_lock.Hold())
        {
            if (TryFindOut(block, out LargeBuffer? buffer))
            {
                buffer.IsLeaving = true;
                buffer.MayStay = mayStay;
                buffer.NextLeaving = _leaving;
                _leaving = buffer;
            }
        }
    }

    /// <summary>Keeps or releases the buffers that left slots. The caller must hold no lock.</summary>
    internal void SettleLeaving(TimeSpan now)
    {
        while (Volatile.Read(ref _leaving) is not null)
        {
            LargeBuffer? buffer;
            using (_lock.Hold())
            {
                buffer = _leaving;
                if (buffer is null)
                {
                    return;
                }

                _leaving = buffer.NextLeaving;
                buffer.NextLeaving = null;
                buffer.IsLeaving = false;
                if (TryKeep(buffer, now, buffer.MayStay && budget.TryReserve((long)buffer.Size)))
                {
                    continue;
                }

                TakeOut(buffer);
            }

            Release(buffer);
        }
    }
}
