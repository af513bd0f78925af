using System.Diagnostics;

namespace Tarn;

/// <summary>Lays blocks out in raw memory, and gives the memory back. Safe to call from any thread.</summary>
internal sealed unsafe class BlockMaker(CheckedBlocksOptions options)
{
    /// <summary>Larger blocks are not guarded, in bytes: they are no place for a mistake by one, and address space has an end.</summary>
    private const nuint LargestGuardedSize = BlockSizes.LargestClassSize;

    private readonly IBlockSource _source = options.Source;
    private readonly GuardedMemory? _guarded =
        (options.Checks & BufferChecks.GuardPages) != 0 ? new GuardedMemory(options.Memory) : null;

    /// <summary>A block in memory of its own; only the caller's bytes are zero, if asked for, and redzones are not yet filled.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory, or there can be no such block; nothing has changed.</exception>
    internal CheckedBlock Make(nuint size, nuint alignment, bool zeroed, bool guarded, StackTrace? here, bool reportsLeak)
    {
        Layout layout = default;
        if (guarded && size <= LargestGuardedSize)
        {
            layout = ObtainGuarded(size, alignment);
        }

        bool isGuarded = layout.Base != 0;
        if (!isGuarded)
        {
            layout = Obtain(size, alignment, zeroed);
        }

        return new CheckedBlock
        {
            Base = layout.Base,
            Footprint = layout.Footprint,
            Start = layout.Start,
            Size = size,
            Alignment = alignment,
            End = layout.End,
            IsGuarded = isGuarded,
            AllocatedAt = here,
            ReportsLeak = reportsLeak,
        };
    }

    /// <summary>Makes every access to a guarded block fault; false for others, and when the system refuses.</summary>
    internal bool TrySeal(CheckedBlock block) => block.IsGuarded && _guarded!.Seal(block);

    internal void GiveBack(CheckedBlock block)
    {
        if (block.IsGuarded)
        {
            _guarded!.Release(block);
        }
        else
        {
            _source.Free((void*)block.Base, block.Footprint);
        }
    }

    /// <summary>A block goes into the quarantine, or leaves it.</summary>
    internal void SetAside(CheckedBlock block, bool isAside)
    {
        if (!block.IsGuarded)
        {
            _source.SetAside((void*)block.Base, block.Footprint, isAside);
        }
    }

    private Layout Obtain(nuint size, nuint alignment, bool zeroed)
    {
        nuint aligned = Math.Max(alignment, IBlockSource.Alignment);
        nuint footprint = FootprintOf(size, aligned);
        nuint address = (nuint)_source.Allocate(footprint, zeroed);
        nuint start = RoundUp(address + Redzone.SmallestSize, aligned);
        return new Layout(address, footprint, start, address + footprint);
    }

    /// <summary>The block ends where the inaccessible OS page begins, or as close before it as its alignment allows.</summary>
    private Layout ObtainGuarded(nuint size, nuint alignment)
    {
        nuint osPage = _guarded!.OsPageSize;
        nuint accessible = RoundUp(Math.Max(size, 1), osPage);
        nuint address = _guarded.Allocate(accessible, Math.Max(alignment, osPage));
        nuint end = address + accessible;
        nuint start = alignment > osPage ? address : end - RoundUp(size, alignment);
        return address == 0 ? default : new Layout(address, accessible + osPage, start, end);
    }

    /// <summary>What a block with its redzones takes, in bytes.</summary>
    /// <exception cref="OutOfMemoryException">More than can be counted.</exception>
    private static nuint FootprintOf(nuint size, nuint alignment)
    {
        nuint beside = (2 * Redzone.SmallestSize) + alignment - IBlockSource.Alignment;
        if (size > long.MaxValue - BlockSizes.LargestAlignment - beside)
        {
#pragma warning disable CA2201 // what callers of a heap expect when there is no memory
            throw new OutOfMemoryException($"There can be no block of {size} bytes.");
#pragma warning restore CA2201
        }

        return BlockSizes.RoundUp(size + beside);
    }

    private static nuint RoundUp(nuint size, nuint powerOfTwo) => (size + powerOfTwo - 1) & ~(powerOfTwo - 1);

    private readonly record struct Layout(nuint Base, nuint Footprint, nuint Start, nuint End);
}
