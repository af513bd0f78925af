using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The stack of free blocks of one class that threads exchange. Guarded by the lock of its <see cref="BlockClass"/>.</summary>
/// <remarks>The blocks at the bottom that nobody needed for a while are idle. So one number a purpose tells what can go.</remarks>
internal sealed class BlockDepot(int most)
{
    private readonly List<nint> _blocks = [];
    private int _count;

    /// <summary>Blocks at the bottom that nobody needed since the last <see cref="CountUnneeded"/>.</summary>
    private int _unneeded;

    /// <summary>Blocks at the bottom that nobody needed since <see cref="_idleSince"/>.</summary>
    private int _idle;
    private TimeSpan _idleSince;

    /// <summary>Blocks in the depot. May be read without the lock, to skip an empty depot.</summary>
    internal int Count => Volatile.Read(ref _count);

    /// <summary>The blocks, the newest at the end.</summary>
    internal ReadOnlySpan<nint> Blocks => CollectionsMarshal.AsSpan(_blocks);

    /// <summary>Fills <paramref name="blocks"/> from its end with the newest blocks. Returns their number.</summary>
    internal int Take(Span<nint> blocks)
    {
        int rest = Math.Max(0, _count - blocks.Length);
        int taken = _count - rest;
        Blocks[rest..].CopyTo(blocks[^taken..]);
        CollectionsMarshal.SetCount(_blocks, rest);
        _idle = Math.Min(_idle, rest);
        _unneeded = Math.Min(_unneeded, rest);
        Volatile.Write(ref _count, rest);
        return taken;
    }

    /// <summary>Adds blocks; false, with nothing changed, when the depot has enough or there is no memory to list them.</summary>
    internal bool TryPut(ReadOnlySpan<nint> blocks)
    {
        // The list of free blocks must not outgrow the blocks it lists.
        if (_count + blocks.Length > most)
        {
            return false;
        }

        try
        {
            _blocks.AddRange(blocks);
        }
        catch (OutOfMemoryException)
        {
            return false;
        }

        Volatile.Write(ref _count, _blocks.Count);
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
            _blocks.Capacity = 0;
        }

        int idle = patience is null ? _count : _idle;
        _idle = _count;
        _idleSince = now;
        return idle;
    }

    /// <summary>Removes the oldest blocks, which were just counted.</summary>
    internal void RemoveOldest(int count)
    {
        _blocks.RemoveRange(0, count);
        _idle = Math.Max(0, _idle - count);
        _unneeded = Math.Max(0, _unneeded - count);
        Volatile.Write(ref _count, _blocks.Count);
    }
}
