using System.Diagnostics.CodeAnalysis;
using System.Numerics;

namespace Tarn;

/// <summary>The large buffers of one heap: each a mapping of its own, registered by address, kept for reuse within the budget.</summary>
/// <remarks>
/// <para>The budget covers every kept buffer. Buffers in threads' slots (<see cref="HeapSection"/>) count as in use here; their slots were
/// granted room when they were opened. Buffers larger than every class are never kept.</para>
/// <para>All members are safe to call from any thread. The lock is not held during calls to the system: a buffer that such a call works on
/// is in no table, or busy there (<see cref="SystemCalls"/>). What needs managed memory comes before the call.</para>
/// </remarks>
internal sealed partial class LargeBuffers(VirtualMemory memory, MemoryBudget budget, CommittedBytes committed)
{
    /// <summary>
    /// The size from which huge pages save more faults and misses than they waste: every buffer of that size fills most of its huge pages.
    /// </summary>
    internal const nuint HugeFrom = BlockSizes.LargestAlignment;

    private readonly Lock _lock = new();
    private readonly Dictionary<nint, LargeBuffer> _all = [];

    /// <summary>Kept buffers by class; the most recently kept one is at the end.</summary>
    private readonly List<LargeBuffer>?[] _kept = new List<LargeBuffer>?[BlockSizes.ClassCount];

    private readonly SystemCalls _calls = new();

    /// <summary>The allocations that came past the threads' slots.</summary>
    private long _takes;

    internal long ReservedBytes { get; private set; }

    internal long KeptBytes { get; private set; }

    /// <summary>
    /// Counts, for each size, the buffers that are out (including those in threads' slots) and the buffers that are kept. A buffer that is
    /// leaving a slot is neither.
    /// </summary>
    internal List<(nuint Size, long Out, long Kept)> CountBySize()
    {
        using (_lock.Hold())
        {
            return
            [
                .. from buffer in _all.Values
                   where !buffer.IsBusy
                   group buffer by buffer.Size into same
                   orderby same.Key
                   let kept = same.LongCount(static buffer => buffer.IsKept)
                   select (same.Key, same.LongCount(static buffer => !buffer.IsKept && !buffer.IsLeaving), kept),
            ];
        }
    }

    /// <summary>Takes a kept buffer of the class; 0 when there is none.</summary>
    internal nint TakeKept(int index)
    {
        using (_lock.Hold())
        {
            ObjectDisposedException.ThrowIf(_calls.HasEnded, typeof(NativeHeap));
            _takes++;
            if (_kept[index] is not { Count: > 0 } kept)
            {
                return 0;
            }

            return TakeFrom(kept, kept.Count - 1);
        }
    }

    /// <summary>
    /// Creates a buffer of <paramref name="size"/> bytes, all zero. Returns 0 and changes nothing when the system refuses.
    /// </summary>
    internal nint Create(nuint size)
    {
        nint address = Reserve(size);
        if (address == 0)
        {
            return 0;
        }

        LargeBuffer buffer = Register(address, size);
        if (!memory.Commit(address, size))
        {
            Withdraw(buffer);
            return 0;
        }

        if (size >= HugeFrom)
        {
            memory.PreferHugePages(address, size);
        }

        committed.Add((long)size);
        Settle(buffer);
        return address;
    }

    /// <summary>
    /// Finds the size of the buffer that begins at <paramref name="address"/>; false when no buffer that is out begins there.
    /// </summary>
    internal bool TryGetSize(nint address, out nuint size)
    {
        using (_lock.Hold())
        {
            bool isOut = TryFindOut(address, out LargeBuffer? buffer);
            size = isOut ? buffer!.Size : 0;
            return isOut;
        }
    }

    /// <summary>Takes back a buffer of <paramref name="size"/> bytes; false when no such buffer is out.</summary>
    /// <param name="address">The buffer.</param>
    /// <param name="size">The size of the buffer, in bytes.</param>
    /// <param name="now">The time.</param>
    /// <param name="isGranted">Whether the budget granted its size, so that it is kept. It must then belong to a class.</param>
    internal bool TryGive(nint address, nuint size, TimeSpan now, bool isGranted)
    {
        LargeBuffer? buffer;
        using (_lock.Hold())
        {
            if (!TryFindOut(address, out buffer) || buffer.Size != size)
            {
                budget.Release(isGranted ? (long)size : 0);
                return false;
            }

            if (TryKeep(buffer, now, isGranted))
            {
                return true;
            }

            TakeOut(buffer);
        }

        Release(buffer);
        return true;
    }

    /// <summary>
    /// Releases buffers kept since <paramref name="before"/> or longer, the oldest first, until at least <paramref name="enough"/> bytes
    /// are released.
    /// </summary>
    /// <remarks>It takes all of them out at once, so it ends however many buffers other threads return at the same time.</remarks>
    internal long ReleaseIdle(TimeSpan before, long enough = long.MaxValue)
    {
        long bytes = 0;
        if (enough <= 0 || KeptBytes == 0)
        {
            return bytes;
        }

        foreach (LargeBuffer buffer in TakeIdle(before, enough))
        {
            Release(buffer);
            budget.Release((long)buffer.Size);
            bytes += (long)buffer.Size;
        }

        return bytes;
    }

    /// <summary>Stops handing out buffers.</summary>
    internal void Close()
    {
        using (_lock.Hold())
        {
            _calls.Close();
        }
    }

    /// <summary>Returns all memory to the system. Call <see cref="Close"/> first. Further calls find nothing.</summary>
    /// <exception cref="OutOfMemoryException">There is no managed memory. Nothing has changed.</exception>
    internal void ReleaseAll()
    {
        _calls.End();
        LargeBuffer[] buffers;
        using (_lock.Hold())
        {
            buffers = [.. _all.Values];
            _all.Clear();
            _leaving = null;
            Array.Clear(_kept);
            budget.Release(KeptBytes);
            KeptBytes = 0;
            ReservedBytes = 0;
        }

        foreach (LargeBuffer buffer in buffers)
        {
            committed.Remove((long)buffer.Size);
            memory.Release(buffer.Address, buffer.ReservedSize);
        }
    }

    /// <summary>Whether the lists hold exactly the kept buffers and count their bytes. For tests.</summary>
    internal bool IsValid()
    {
        using (_lock.Hold())
        {
            long bytes = 0;
            int count = 0;
            for (int index = 0; index < _kept.Length; index++)
            {
                foreach (LargeBuffer buffer in _kept[index] ?? [])
                {
                    bytes += (long)buffer.Size;
                    count++;
                    if (!buffer.IsKept || (int)BlockSizes.IndexOf(buffer.Size) != index || !_all.ContainsKey(buffer.Address))
                    {
                        return false;
                    }
                }
            }

            return bytes == KeptBytes && count == _all.Values.Count(static buffer => buffer.IsKept);
        }
    }

    /// <summary>Reserves address space whose alignment suits a buffer of this size or of any smaller one.</summary>
    private nint Reserve(nuint size) =>
        memory.Reserve(size, (nuint)1 << BitOperations.Log2((ulong)Math.Min(size, BlockSizes.LargestAlignment)));

    /// <summary>Finds a buffer that a caller or a slot has.</summary>
    private bool TryFindOut(nint address, [NotNullWhen(true)] out LargeBuffer? buffer) =>
        _all.TryGetValue(address, out buffer) && buffer is { IsKept: false, IsBusy: false, IsLeaving: false };

    /// <summary>Keeps a buffer that came back, if its room was granted and there is memory to list it; else returns the room.</summary>
    private bool TryKeep(LargeBuffer buffer, TimeSpan now, bool isGranted)
    {
        if (!isGranted || !TryList(buffer))
        {
            budget.Release(isGranted ? (long)buffer.Size : 0);
            return false;
        }

        buffer.IsKept = true;
        buffer.Since = now;
        buffer.KeptAtTake = _takes;
        KeptBytes += (long)buffer.Size;
        return true;
    }

    /// <summary>
    /// Takes out buffers kept since <paramref name="before"/> or longer, until they amount to <paramref name="enough"/> bytes: the largest
    /// class first, and in each class the oldest first.
    /// </summary>
    /// <remarks>Buffers that there is no memory to list stay.</remarks>
    private List<LargeBuffer> TakeIdle(TimeSpan before, long enough)
    {
        List<LargeBuffer> idle = [];
        using (_lock.Hold())
        {
            long bytes = 0;
            for (int index = _kept.Length - 1; index >= BlockSizes.SlabClassCount && KeptBytes > 0; index--)
            {
                int count = 0;
                while (bytes < enough && _kept[index] is { } kept && count < kept.Count && kept[count].Since <= before)
                {
                    LargeBuffer buffer = kept[count];
                    if (!ListRoom.TryAdd(idle, buffer))
                    {
                        break;
                    }

                    count++;
                    Unkeep(buffer);
                    TakeOut(buffer);
                    bytes += (long)buffer.Size;
                }

                _kept[index]?.RemoveRange(0, count);
            }
        }

        return idle;
    }

    /// <summary>Lists a buffer as kept; false when there is no memory for that.</summary>
    private bool TryList(LargeBuffer buffer)
    {
        ref List<LargeBuffer>? kept = ref _kept[(int)BlockSizes.IndexOf(buffer.Size)];
        try
        {
            kept ??= [];
        }
        catch (OutOfMemoryException)
        {
            return false;
        }

        return ListRoom.TryAdd(kept, buffer);
    }

    /// <summary>Takes a buffer out of the list of its class and returns its address; it counts as in use. Under the lock.</summary>
    private nint TakeFrom(List<LargeBuffer> kept, int at)
    {
        LargeBuffer buffer = kept[at];
        kept.RemoveAt(at);
        Unkeep(buffer);
        budget.Release((long)buffer.Size);
        return buffer.Address;
    }

    private void Unkeep(LargeBuffer buffer)
    {
        buffer.IsKept = false;
        KeptBytes -= (long)buffer.Size;
    }
}
