namespace Tarn;

/// <summary>The large buffers of one heap: each a mapping of its own, registered by address, kept for reuse within the budget.</summary>
/// <remarks>
/// <para>The budget stands for every kept buffer. Those in slots of threads (<see cref="HeapSection"/>) are in use as far as this class
/// knows; their slots were granted room when they were opened. Buffers larger than every class are never kept.</para>
/// <para>All members are safe to call from any thread.</para>
/// </remarks>
internal sealed class LargeBuffers(VirtualMemory memory, MemoryBudget budget, CommittedBytes committed)
{
    /// <summary>From here on huge pages spare more faults and misses than they waste: every buffer is a multiple of most of one.</summary>
    private const nuint HugeFrom = BlockSizes.LargestAlignment;

    private readonly Lock _lock = new();
    private readonly Dictionary<nint, LargeBuffer> _all = [];

    /// <summary>Kept buffers by class; the one that came last is at the end.</summary>
    private readonly List<LargeBuffer>?[] _kept = new List<LargeBuffer>?[BlockSizes.ClassCount];

    private bool _isReleased;

    internal long ReservedBytes { get; private set; }

    internal long KeptBytes { get; private set; }

    /// <summary>For each size, buffers that are out, those in slots of threads too, and buffers that are kept.</summary>
    internal List<(nuint Size, long Out, long Kept)> CountBySize()
    {
        lock (_lock)
        {
            return
            [
                .. from buffer in _all.Values
                   group buffer by buffer.Size into same
                   orderby same.Key
                   let kept = same.LongCount(static buffer => buffer.IsKept)
                   select (same.Key, same.LongCount() - kept, kept),
            ];
        }
    }

    /// <summary>A kept buffer of the class, or 0.</summary>
    internal nint TakeKept(int index)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isReleased, typeof(NativeHeap));
            if (_kept[index] is not { Count: > 0 } kept)
            {
                return 0;
            }

            LargeBuffer buffer = kept[^1];
            kept.RemoveAt(kept.Count - 1);
            Unkeep(buffer);
            budget.Release((long)buffer.Size);
            return buffer.Address;
        }
    }

    /// <summary>A new buffer of <paramref name="size"/> bytes, all zero; 0 when the system refuses, and nothing has changed.</summary>
    internal nint Create(nuint size)
    {
        nint address = memory.Reserve(size, BlockSizes.AlignmentOf(size));
        if (address == 0)
        {
            return 0;
        }

        if (!memory.Commit(address, size))
        {
            memory.Release(address, size);
            return 0;
        }

        if (size >= HugeFrom)
        {
            memory.PreferHugePages(address, size);
        }

        Register(new LargeBuffer(address, size));
        return address;
    }

    /// <summary>The size of the buffer that begins at <paramref name="address"/>; false when none does that is out.</summary>
    internal bool TryGetSize(nint address, out nuint size)
    {
        lock (_lock)
        {
            size = _all.TryGetValue(address, out LargeBuffer? buffer) && !buffer.IsKept ? buffer.Size : 0;
            return size != 0;
        }
    }

    /// <summary>Takes a buffer of <paramref name="size"/> bytes that is out back; false when there is none such.</summary>
    internal bool TryGive(nint address, nuint size, TimeSpan now, Func<long, bool> tryGrant)
    {
        // Making room may release kept buffers, and so need the lock.
        bool keeps = size <= BlockSizes.LargestClassSize && tryGrant((long)size);
        lock (_lock)
        {
            if (!_all.TryGetValue(address, out LargeBuffer? buffer) || buffer.IsKept || buffer.Size != size)
            {
                budget.Release(keeps ? (long)size : 0);
                return false;
            }

            if (!keeps)
            {
                Release(buffer);
                return true;
            }

            buffer.IsKept = true;
            buffer.Since = now;
            KeptBytes += (long)size;
            (_kept[(int)BlockSizes.IndexOf(size)] ??= []).Add(buffer);
            return true;
        }
    }

    /// <summary>
    /// Grows a buffer that is out by moving its memory instead of its contents; 0 where the system cannot, and nothing has changed.
    /// </summary>
    internal nint TryGrow(nint address, nuint size)
    {
        lock (_lock)
        {
            if (!_all.TryGetValue(address, out LargeBuffer? buffer) || buffer.IsKept || buffer.Size != buffer.ReservedSize)
            {
                return 0;
            }

            nint target = memory.Reserve(size, BlockSizes.AlignmentOf(size));
            if (target == 0)
            {
                return 0;
            }

            if (!memory.TryMove(address, buffer.Size, target, size))
            {
                memory.Release(target, size);
                return 0;
            }

            if (size >= HugeFrom)
            {
                memory.PreferHugePages(target, size);
            }

            _all.Remove(address);
            ReservedBytes -= (long)buffer.ReservedSize;
            committed.Remove((long)buffer.Size);
            Register(new LargeBuffer(target, size));
            return target;
        }
    }

    /// <summary>Shrinks a buffer that is out where it lies; false when it does not lie where one of that size must, or is not out.</summary>
    internal bool TryShrink(nint address, nuint size)
    {
        lock (_lock)
        {
            if (!_all.TryGetValue(address, out LargeBuffer? buffer) || buffer.IsKept || buffer.Size <= size
                || ((nuint)address & (BlockSizes.AlignmentOf(size) - 1)) != 0)
            {
                return false;
            }

            memory.Decommit(address + (nint)size, buffer.Size - size);
            committed.Remove((long)(buffer.Size - size));
            buffer.Size = size;
            return true;
        }
    }

    /// <summary>Releases what was kept since <paramref name="before"/> or longer, the oldest first, until <paramref name="enough"/> bytes are.</summary>
    internal long ReleaseIdle(TimeSpan before, long enough = long.MaxValue)
    {
        lock (_lock)
        {
            long bytes = 0;
            for (int index = _kept.Length - 1; index >= 0 && bytes < enough; index--)
            {
                while (_kept[index] is { Count: > 0 } kept && kept[0].Since <= before && bytes < enough)
                {
                    LargeBuffer buffer = kept[0];
                    kept.RemoveAt(0);
                    bytes += (long)buffer.Size;
                    Unkeep(buffer);
                    budget.Release((long)buffer.Size);
                    Release(buffer);
                }
            }

            return bytes;
        }
    }

    /// <summary>Gives everything back to the system.</summary>
    internal void ReleaseAll()
    {
        lock (_lock)
        {
            _isReleased = true;
            foreach (LargeBuffer buffer in _all.Values.ToArray())
            {
                Release(buffer);
            }

            budget.Release(KeptBytes);
            KeptBytes = 0;
            Array.Clear(_kept);
        }
    }

    /// <summary>The kept lists hold the kept buffers and their bytes. For tests.</summary>
    internal bool IsValid()
    {
        lock (_lock)
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

    private void Register(LargeBuffer buffer)
    {
        lock (_lock)
        {
            if (_isReleased)
            {
                memory.Release(buffer.Address, buffer.ReservedSize);
                throw new ObjectDisposedException(nameof(NativeHeap));
            }

            _all.Add(buffer.Address, buffer);
            ReservedBytes += (long)buffer.ReservedSize;
        }

        committed.Add((long)buffer.Size);
    }

    private void Unkeep(LargeBuffer buffer)
    {
        buffer.IsKept = false;
        KeptBytes -= (long)buffer.Size;
    }

    private void Release(LargeBuffer buffer)
    {
        _all.Remove(buffer.Address);
        ReservedBytes -= (long)buffer.ReservedSize;
        committed.Remove((long)buffer.Size);
        memory.Release(buffer.Address, buffer.ReservedSize);
    }
}
