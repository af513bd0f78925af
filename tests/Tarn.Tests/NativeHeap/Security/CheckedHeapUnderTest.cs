namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>The checked heap that the security tests drive: with the calls of <see cref="NativeHeap"/>, and made of its options.</summary>
internal sealed unsafe class CheckedHeapUnderTest : IDisposable
{
    private readonly RegionSource _source = new();
    private readonly CheckedBlocks _blocks;

    /// <param name="checks">What is verified.</param>
    /// <param name="options">Name, cap, clock and idle timeout count.</param>
    internal CheckedHeapUnderTest(BufferChecks checks, NativeHeapOptions? options = null)
    {
        options ??= new NativeHeapOptions();
        Name = options.Name.Length > 0 ? options.Name : $"checked heap {Guid.NewGuid()}";
        _blocks = new CheckedBlocks(new CheckedBlocksOptions
        {
            Name = Name,
            Checks = checks,
            Source = _source,
            Memory = VirtualMemory.Current,
            Budget = new MemoryBudget(options.MaxRetainedBytes ?? 64 << 20),
            Clock = options.Clock ?? TrimClock.Shared,
            IdleTimeout = options.IdleTimeout,
            TickPeriod = options.IdleTimeout / 4,
        });
    }

    internal string Name { get; }

    internal long InUseBlocks => _blocks.InUseBlocks;

    internal long RetainedBytes => _blocks.RetainedBytes;

    internal byte* Allocate(nuint size) => (byte*)_blocks.Allocate(size, NaturalAlignment(size), zeroed: false);

    internal byte* AllocateZeroed(nuint size) => (byte*)_blocks.Allocate(size, NaturalAlignment(size), zeroed: true);

    internal byte* AllocateAligned(nuint size, nuint alignment) => (byte*)_blocks.Allocate(size, alignment, zeroed: false);

    internal void Free(void* block) => _blocks.Free(block, size: null, alignment: null);

    internal void Free(void* block, nuint size) => _blocks.Free(block, size, NaturalAlignment(size));

    internal void FreeAligned(void* block, nuint size, nuint alignment) => _blocks.Free(block, size, alignment);

    internal byte* Reallocate(void* block, nuint oldSize, nuint newSize) =>
        (byte*)_blocks.Reallocate(block, oldSize, newSize, NaturalAlignment(newSize));

    internal nuint GetUsableSize(void* block) => _blocks.GetUsableSize(block);

    internal long Trim() => _blocks.Trim();

    /// <summary>Throws where the heap's invariants do not hold.</summary>
    internal void Validate() => _blocks.Validate();

    public void Dispose()
    {
        _blocks.ReleaseAll();
        if (_source.HeldCount > 0)
        {
            throw new InvalidOperationException($"{_source.HeldCount} raw blocks were not given back.");
        }

        _source.Dispose();
    }

    private static nuint NaturalAlignment(nuint size) => BlockSizes.AlignmentOf(BlockSizes.RoundUp(size));
}
