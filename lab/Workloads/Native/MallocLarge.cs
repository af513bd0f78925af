using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// malloc-large: twenty live blocks of 5 to 25 MiB, replaced at random, with one byte of each OS page written so that they are there. An
/// operation is a replacement.
/// </summary>
internal sealed unsafe class MallocLarge<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int Replacements = 2_000;
    private const int LiveBlocks = 20;
    private const int SmallestBytes = 5 << 20;
    private const int LargestBytes = 25 << 20;
    private const uint Seed = 42;

    // Any OS page is at least this large.
    private const int WriteEvery = 4 << 10;

    private readonly TAllocator _allocator;
    private readonly int _replacements;
    private readonly WorkloadSettings _settings;
    private readonly MersenneTwister _random;
    private readonly Block[] _blocks = new Block[LiveBlocks];

    public MallocLarge(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _settings = settings;
        _replacements = settings.Times(Replacements);
        _random = new MersenneTwister(Seed + (uint)settings.Seed);
    }

    public override long Work()
    {
        TAllocator allocator = _allocator;
        for (int replacement = 0; replacement < _replacements; replacement++)
        {
            int size = _settings.Live(SmallestBytes + _random.Below(LargestBytes - SmallestBytes + 1));
            Replace(ref allocator, ref _blocks[_random.Below(LiveBlocks)], size);
        }

        return _replacements;
    }

    public override void Clear()
    {
        foreach (Block block in _blocks)
        {
            if (block.Address is not null)
            {
                _allocator.Free(block.Address, block.Size);
            }
        }
    }

    /// <summary>Allocates the new block before freeing the old one, as when a program assigns to a variable that owns its buffer.</summary>
    private static void Replace(ref TAllocator allocator, ref Block block, int size)
    {
        byte* bytes = (byte*)allocator.Allocate((nuint)size);
        for (int offset = 0; offset < size; offset += WriteEvery)
        {
            bytes[offset] = 1;
        }

        if (block.Address is not null)
        {
            allocator.Free(block.Address, block.Size);
        }

        block.Address = bytes;
        block.Size = (nuint)size;
    }
}
