using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The blocks of one asker, such as Kestrel: pinned arrays of 64 KiB and 4 KiB from a pool of its own, under one cap.</summary>
/// <remarks>
/// <para>Servers ask for 4 KiB, the smallest segment of their pipes, and use whatever they get. A receive fills at most one block, and a
/// send gathers whole blocks, so blocks of 64 KiB save system calls and the wake-ups between them. A small block serves as well, only
/// slower.</para>
/// <para>The cap: in use ≤ <see cref="MaxInUseBytes"/>, half of it, and idle ≤ the other half, which is the cap of the array pool. Whatever
/// was in use may therefore become idle, and the sum never passes the cap. Large blocks stop at three quarters of the first half, so that
/// the rest serves sixteen times as many connections. Beyond that half, blocks are unpooled: small arrays on the ordinary heap, where the
/// youngest collections find them. A server cannot do without memory, so refusing it would fail requests.</para>
/// <para>The array pool has no thread caches. A thread that answers many sockets would keep blocks that others then allocate, and a lock is
/// nothing beside the system call that each block is for.</para>
/// <para>Owners are objects of their own, because a pool of arrays has no place for them. They are reused in the order of their return,
/// which leaves the longest time to find a second disposal. A pool with checks reuses none, so that it finds all of them.</para>
/// <para>All members are safe to call from any thread.</para>
/// </remarks>
internal sealed class BlockPool
{
    /// <summary>The size of large blocks: no socket buffer's default holds more for one call.</summary>
    internal const int LargeBytes = 64 << 10;

    /// <summary>The size of small blocks: what servers ask for.</summary>
    internal const int SmallBytes = 4 << 10;

    /// <summary>The owners to keep when nothing is in use.</summary>
    private const int OwnersAtRest = 256;

    private readonly BufferPool<byte> _arrays;
    private readonly ConcurrentQueue<Block> _owners = new();
    private readonly bool _hasChecks;
    private readonly long _maxLargeBytes;
    private Counters _counters;

    /// <param name="owner">The asker's name, which metrics report.</param>
    /// <param name="options">The options, already verified.</param>
    internal BlockPool(string owner, TarnServerOptions options)
    {
        Owner = owner;
        Cap = options.PooledBytes;
        MaxInUseBytes = Cap / 2;
        _maxLargeBytes = MaxInUseBytes / 4 * 3;
        _arrays = BufferPool<byte>.Create(new BufferPoolOptions(options.ForArrays(owner, Cap - MaxInUseBytes))
        {
            MaxArrayLength = LargeBytes,
            Pinned = true,
            ThreadCaches = false,
        });
        _hasChecks = _arrays.Checks != BufferChecks.None;
        RefusesSecondReturn = (_arrays.Checks & (BufferChecks.Returns | BufferChecks.UseAfterReturn)) != 0;
    }

    internal string Owner { get; }

    /// <summary>The most pooled bytes, in use and idle.</summary>
    internal long Cap { get; }

    /// <summary>The most pooled bytes in use.</summary>
    internal long MaxInUseBytes { get; }

    /// <summary>The owners that wait for a rent; for tests.</summary>
    internal int IdleOwners => _owners.Count;

    /// <summary>Whether the array pool throws when an array is returned again.</summary>
    internal bool RefusesSecondReturn { get; }

    /// <summary>Hands out a block of at least <paramref name="size"/> bytes, from 0 to <see cref="LargeBytes"/>.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for a block. The pool is unchanged.</exception>
    internal Block Rent(int size)
    {
        if (TryReserve(LargeBytes, _maxLargeBytes))
        {
            return RentPooled(LargeBytes);
        }

        if (size <= SmallBytes && TryReserve(SmallBytes, MaxInUseBytes))
        {
            return RentPooled(SmallBytes);
        }

        byte[] array = GC.AllocateUninitializedArray<byte>(Math.Max(size, SmallBytes));
        Interlocked.Increment(ref _counters.Unpooled);
        Interlocked.Add(ref _counters.UnpooledInUse, array.Length);
        return TakeOwner().Own(array, isPooled: false);
    }

    /// <summary>Takes back the array that a disposed block owned.</summary>
    /// <param name="owner">The block, which owns nothing any more.</param>
    /// <param name="array">The array.</param>
    /// <param name="isPooled">Whether the array belongs to the pool.</param>
    internal void Return(Block owner, byte[] array, bool isPooled)
    {
        if (isPooled)
        {
            _arrays.Return(array);
            Interlocked.Add(ref _counters.InUse, -array.Length);
        }
        else
        {
            Interlocked.Add(ref _counters.UnpooledInUse, -array.Length);
        }

        if (!_hasChecks)
        {
            _owners.Enqueue(owner);
        }
    }

    /// <summary>Reports that a block was disposed twice, in a pool whose checks look for that.</summary>
    /// <exception cref="InvalidOperationException">Always; the message has the stacks of the rent and of the first disposal.</exception>
    internal void RefuseSecondReturn(byte[] array) => _arrays.Return(array);

    /// <summary>Gives up every idle block.</summary>
    internal void Trim() => _arrays.Trim();

    /// <summary>Drops the owners that a burst has left behind: those beyond as many as are in use.</summary>
    internal void TrimOwners()
    {
        long inUse = Volatile.Read(ref _counters.InUse) / SmallBytes;
        for (long excess = _owners.Count - Math.Max(OwnersAtRest, inUse); excess > 0 && _owners.TryDequeue(out _); excess--)
        {
        }
    }

    internal BlockPoolSnapshot GetSnapshot()
    {
        BufferPoolStatistics arrays = _arrays.GetStatistics();
        return new BlockPoolSnapshot(
            Owner,
            Cap,
            MaxInUseBytes,
            Volatile.Read(ref _counters.InUse),
            arrays.RetainedBytes,
            arrays.Rented,
            arrays.Allocated,
            Volatile.Read(ref _counters.Unpooled),
            Volatile.Read(ref _counters.UnpooledInUse));
    }

    /// <summary>Reserves bytes of the half for blocks in use. The reserved bytes never pass <paramref name="limit"/>.</summary>
    private bool TryReserve(int bytes, long limit)
    {
        if (Volatile.Read(ref _counters.InUse) + bytes > limit)
        {
            return false;
        }

        if (Interlocked.Add(ref _counters.InUse, bytes) <= limit)
        {
            return true;
        }

        Interlocked.Add(ref _counters.InUse, -bytes);
        return false;
    }

    private Block RentPooled(int bytes)
    {
        try
        {
            return TakeOwner().Own(_arrays.Rent(bytes), isPooled: true);
        }
        catch (OutOfMemoryException)
        {
            Interlocked.Add(ref _counters.InUse, -bytes);
            throw;
        }
    }

    private Block TakeOwner() => _owners.TryDequeue(out Block? owner) ? owner : new Block(this);

    /// <summary>What all threads write, in cache lines that hold nothing else.</summary>
    [StructLayout(LayoutKind.Explicit, Size = (2 * LineBytes) + 24)]
    private struct Counters
    {
        private const int LineBytes = 64;

        /// <summary>The pooled bytes in use, or reserved by a rent that is about to have them.</summary>
        [FieldOffset(LineBytes)]
        internal long InUse;

        /// <summary>The unpooled blocks handed out so far.</summary>
        [FieldOffset(LineBytes + 8)]
        internal long Unpooled;

        /// <summary>The bytes of those still in use.</summary>
        [FieldOffset(LineBytes + 16)]
        internal long UnpooledInUse;
    }
}
