using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>A heap with checks over a watching operating system. Memory left after disposal fails the test.</summary>
internal sealed unsafe class CheckedHeapUnderTest : IDisposable
{
    private readonly FailingMemory _memory = new();
    private readonly NativeHeap _heap;

    /// <param name="checks">The checks to make.</param>
    /// <param name="options">Name, cap, clock and idle timeout count.</param>
    internal CheckedHeapUnderTest(BufferChecks checks, NativeHeapOptions? options = null)
    {
        options ??= new NativeHeapOptions();
        _heap = new NativeHeap(new NativeHeapOptions(options)
        {
            Name = options.Name.Length > 0 ? options.Name : $"checked heap {Guid.NewGuid()}",
            MaxRetainedBytes = options.MaxRetainedBytes ?? 64 << 20,
            Checks = checks,
            Memory = _memory,
        });
    }

    internal string Name => _heap.Name;

    internal long InUseBlocks => _heap.GetStatistics().InUseBlocks;

    /// <summary>The size of the quarantine.</summary>
    internal long RetainedBytes => _heap.QuarantinedBytes;

    internal byte* Allocate(nuint size) => (byte*)_heap.Allocate(size);

    internal byte* AllocateZeroed(nuint size) => (byte*)_heap.AllocateZeroed(size);

    internal byte* AllocateAligned(nuint size, nuint alignment) => (byte*)_heap.AllocateAligned(size, alignment);

    internal void Free(void* block) => _heap.Free(block);

    internal void Free(void* block, nuint size) => _heap.Free(block, size);

    internal void FreeAligned(void* block, nuint size, nuint alignment) => _heap.FreeAligned(block, size, alignment);

    internal byte* Reallocate(void* block, nuint oldSize, nuint newSize) => (byte*)_heap.Reallocate(block, oldSize, newSize);

    internal nuint GetUsableSize(void* block) => _heap.GetUsableSize(block);

    internal long Trim() => _heap.Trim();

    /// <summary>Throws where the heap's invariants do not hold.</summary>
    internal void Validate() => _heap.Validate();

    public void Dispose()
    {
        _heap.Dispose();
        _memory.AssertNothingLeaks();
    }
}
