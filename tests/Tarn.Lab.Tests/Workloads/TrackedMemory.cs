using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Tests.Workloads;

/// <summary>Knows every block that is in use and notes whatever a workload does wrong with one. Blocks live until it is disposed.</summary>
internal sealed unsafe class TrackedMemory : IDisposable
{
    private readonly ConcurrentDictionary<nint, nuint> _inUse = [];
    private readonly ConcurrentQueue<nint> _all = [];
    private readonly ConcurrentQueue<string> _mistakes = [];
    private long _allocated;
    private long _freed;

    public long Allocated => Interlocked.Read(ref _allocated);

    public long Freed => Interlocked.Read(ref _freed);

    public int BlocksInUse => _inUse.Count;

    public IReadOnlyCollection<string> Mistakes => _mistakes;

    /// <summary>Called with every new block, which it may harm or those before it.</summary>
    public Action<nint, nuint>? OnAllocated { get; init; }

    public void* Allocate(nuint size)
    {
        if (size == 0)
        {
            _mistakes.Enqueue("asked for nothing");
        }

        var block = (nint)NativeMemory.Alloc(size);
        _all.Enqueue(block);
        Interlocked.Increment(ref _allocated);
        _inUse[block] = size;
        OnAllocated?.Invoke(block, size);
        return (void*)block;
    }

    public void Free(void* block, nuint size)
    {
        Interlocked.Increment(ref _freed);
        if (!_inUse.TryRemove((nint)block, out var allocated))
        {
            _mistakes.Enqueue($"freed 0x{(nint)block:x}, which is not in use");
        }
        else if (allocated != size)
        {
            _mistakes.Enqueue($"freed {allocated} bytes as {size}");
        }
    }

    public void Dispose()
    {
        // Only now: a workload that frees a block twice, or writes to a freed one, must be caught and not bring the tests down.
        foreach (var block in _all)
        {
            NativeMemory.Free((void*)block);
        }
    }
}
