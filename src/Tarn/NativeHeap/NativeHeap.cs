using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace Tarn;

#pragma warning disable CA1822, CA2201, CS1591 // stands in until the heap itself is there

/// <summary>SKELETON over NativeMemory: correct, not the design. Replaced as a whole.</summary>
public sealed unsafe partial class NativeHeap : IDisposable
{
    private readonly ConcurrentDictionary<nint, nuint> _sizes = [];
    private readonly NativeHeapOptions _options;
    private bool _disposed;

    public NativeHeap()
        : this(new NativeHeapOptions())
    {
    }

    public NativeHeap(NativeHeapOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify(nameof(options));
        _options = options;
    }

    public static NativeHeap Shared { get; } = new();

    public string Name => _options.Name.Length > 0 ? _options.Name : "NativeHeap";

    public static nuint GetBlockSize(nuint size) => BlockSizes.RoundUp(size);

    public void* Allocate(nuint size)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        nuint rounded = BlockSizes.RoundUp(size);
        if (rounded == 0 || rounded > (nuint)1 << 46)
        {
            throw new OutOfMemoryException();
        }

        void* block = NativeMemory.AlignedAlloc(rounded, Math.Max(BlockSizes.AlignmentOf(rounded), 16));
        _sizes.TryAdd((nint)block, rounded);
        return block;
    }

    public void* AllocateZeroed(nuint size)
    {
        void* block = Allocate(size);
        NativeMemory.Clear(block, size);
        return block;
    }

    public T* Allocate<T>()
        where T : unmanaged => (T*)Allocate((nuint)sizeof(T));

    public void Free<T>(T* block)
        where T : unmanaged => Free(block, (nuint)sizeof(T));

    public void Free(void* block, nuint size) => Free(block);

    public void Free(void* block)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (block != null && _sizes.TryRemove((nint)block, out _))
        {
            NativeMemory.AlignedFree(block);
        }
    }

    public nuint GetUsableSize(void* block) => _sizes[(nint)block];

    public void* Reallocate(void* block, nuint oldSize, nuint newSize)
    {
        void* moved = Allocate(newSize);
        if (block != null)
        {
            NativeMemory.Copy(block, moved, Math.Min(oldSize, newSize));
            Free(block, oldSize);
        }

        return moved;
    }

    public void* AllocateAligned(nuint size, nuint alignment) => Allocate((size + alignment - 1) & ~(alignment - 1));

    public void FreeAligned(void* block, nuint size, nuint alignment) => Free(block);

    public NativeBlockPool GetBlockPool(nuint size) => new(this, GetBlockSize(size));

    public long Trim() => 0;

    public NativeHeapStatistics GetStatistics()
    {
        long bytes = _sizes.Values.Sum(size => (long)size);
        return new NativeHeapStatistics(_options.Statistics ? bytes : 0, _options.Statistics ? _sizes.Count : 0, 0, bytes, bytes);
    }

    public IReadOnlyList<NativeSizeClassStatistics> GetSizeClassStatistics() => [];

    public void Dispose()
    {
        if (this == Shared)
        {
            throw new InvalidOperationException("The shared heap cannot be disposed.");
        }

        _disposed = true;
        foreach (nint block in _sizes.Keys)
        {
            NativeMemory.AlignedFree((void*)block);
        }

        _sizes.Clear();
    }
}
