namespace Tarn.Native;

/// <summary>The stack of free blocks of one class that threads exchange. Guarded by the lock of its <see cref="BlockClass"/>.</summary>
/// <remarks>
/// The blocks at the bottom that nobody needed for a while are idle. So one number a purpose tells what can go. A field of its class, never
/// copied: where blocks go from thread to thread, each further object is a further cache line that goes with them.
/// </remarks>
internal struct BlockDepot(int most)
{
    private nint[] _blocks = [];
    private int _count;

    /// <summary>Blocks at the bottom that nobody needed since the last <see cref="CountUnneeded"/>.</summary>
    private int _unneeded;

    /// <summary>Blocks at the bottom that nobody needed since <see cref="_idleSince"/>.</summary>
    private int _idle;
    private TimeSpan _idleSince;

    /// <summary>Blocks in the depot. May be read without the lock, to skip an empty depot.</summary>
    internal int Count => Volatile.Read(ref _count);

    /// <summary>The blocks, the newest at the end.</summary>
    internal readonly ReadOnlySpan<nint> Blocks => _blocks.AsSpan(0, _count);

    /// <summary>Whether a block is the newest, and so is freed twice.</summary>
    internal readonly bool IsNext(nint block) => _count > 0 && _blocks[_count - 1] == block;

    /// <summary>Fills <paramref name="blocks"/> from its end with the newest blocks. Returns their number.</summary>
    internal int Take(Span<nint> blocks)
    {
        int rest = Math.Max(0, _count - blocks.Length);
        int taken = _count - rest;
        Blocks[rest..].CopyTo(blocks[^taken..]);
        _idle = Math.Min(_idle, rest);
        _unneeded = Math.Min(_unneeded, rest);
        Volatile.Write(ref _count, rest);
        return taken;
    }

    /// <summary>Adds blocks; false, with nothing changed, when the depot has enough or there is no memory to list them.</summary>
    internal bool TryPut(ReadOnlySpan<nint> blocks)
    {
        // The list of free blocks must not outgrow the blocks it lists.
        int count = _count + blocks.Length;
        if (count > most || (count > _blocks.Length && !TryGrow(count)))
        {
            return false;
        }

        blocks.CopyTo(_blocks.AsSpan(_count));
        Volatile.Write(ref _count, count);
        return true;
    }

    /// <summary>Counts the blocks at the bottom that nobody needed since the last call.</summary>
    internal int CountUnneeded()
    {
        int unneeded = _unneeded;
        _unneeded = _count;
        return unneeded;
    }

    /// <summary>
    /// Counts the blocks at the bottom that nobody needed for <paramref name="patience"/>; 0 while that has not passed since the last
    /// count, and all when it is null.
    /// </summary>
    internal int CountIdle(TimeSpan now, TimeSpan? patience)
    {
        if (patience is not null && now - _idleSince < patience)
        {
            return 0;
        }

        if (_count == 0)
        {
            _blocks = [];
        }

        int idle = patience is null ? _count : _idle;
        _idle = _count;
        _idleSince = now;
        return idle;
    }

    /// <summary>Removes the oldest blocks, which were just counted.</summary>
    internal void RemoveOldest(int count)
    {
        int rest = _count - count;
        Array.Copy(_blocks, count, _blocks, 0, rest);
        _idle = Math.Max(0, _idle - count);
        _unneeded = Math.Max(0, _unneeded - count);
        Volatile.Write(ref _count, rest);
    }

    private bool TryGrow(int count)
    {
        try
        {
            Array.Resize(ref _blocks, Math.Max(count, 2 * _blocks.Length));
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }
}
