// dotnet/dotNext (sakno/dotNext), commit 0ff0b684: a partition's cache was an owner struct in a readonly field, whose disposal cannot be noted in
// it, so that each disposal of the partition returned the memory. The fix resets the field.
using System;
using System.Buffers;
using System.Threading;

internal delegate MemoryOwner<T> MemoryAllocator<T>(int length);

internal readonly struct MemoryOwner<T>(Memory<T> memory, Action<Memory<T>>? release) : IMemoryOwner<T>
{
    public Memory<T> Memory { get; } = memory;

    public bool IsEmpty => Memory.IsEmpty;

    public void Dispose() => release?.Invoke(Memory);
}

internal readonly record struct EntryMetadata(long Term, long Offset, long Length);

internal sealed class Partition : Storage
{
    internal readonly long FirstIndex;
    internal readonly int Capacity;
    private MemoryOwner<EntryMetadata> _lookupCache;
    private Partition? _previous;
    private Partition? _next;

    internal Partition(int recordsPerPartition, long number, MemoryAllocator<EntryMetadata>? cachePool)
    {
        Capacity = recordsPerPartition;
        FirstIndex = number * recordsPerPartition;
        _lookupCache = cachePool is null ? default : cachePool(recordsPerPartition);
    }

    internal void Append(Partition next)
    {
        next._previous = this;
        _next = next;
    }

    internal bool TryGetMetadata(int index, out EntryMetadata metadata)
    {
        metadata = _lookupCache.IsEmpty ? default : _lookupCache.Memory.Span[index];
        return !_lookupCache.IsEmpty && _previous != _next;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _lookupCache.Dispose();
            _lookupCache = default;
            _previous = _next = null;
        }

        base.Dispose(disposing);
    }
}

internal class Storage : IDisposable
{
    private readonly ReaderWriterLockSlim _lock = new();

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
        {
            _lock.Dispose();
        }
    }
}
