using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>A load of 16 B to 256 KiB on an allocator, freed in random order.</summary>
internal sealed unsafe class NativeMemoryLoad<TAllocator> : LoadThreads<Block>
    where TAllocator : struct, INativeAllocator
{
    private const int SmallestSize = 16;
    private const int Doublings = 14;

    private readonly TAllocator _allocator;

    public NativeMemoryLoad(TAllocator allocator, int threads, long bytes, Random random)
        : base(threads, bytes, SmallestSize, Doublings)
    {
        _allocator = allocator;
        Start(random);
    }

    protected override Block Take(int size) => new() { Address = _allocator.Allocate((nuint)size), Size = (nuint)size };

    protected override Span<byte> MemoryOf(Block block) => new(block.Address, (int)block.Size);

    protected override void GiveBack(Block block) => _allocator.Free(block.Address, block.Size);

    protected override void Reorder(Span<Block> live, Random random) => random.Shuffle(live);
}
