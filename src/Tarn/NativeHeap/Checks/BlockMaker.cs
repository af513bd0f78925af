using System.Diagnostics;

namespace Tarn.Native;

/// <summary>Lays blocks out in raw memory, and gives the memory back. Safe to call from any thread.</summary>
internal sealed unsafe class BlockMaker(CheckedBlocksOptions options)
{
    /// <summary>The largest guarded block, in bytes. Off-by-one mistakes are rare in larger blocks, and address space is finite.</summary>
    private const nuint LargestGuardedSize = BlockSizes.LargestClassSize;

    private readonly IBlockSource _source = options.Source;
    private readonly GuardedMemory? _guarded =
        (options.Checks & BufferChecks.GuardPages) != 0 ? new GuardedMemory(options.Memory) : null;

    /// <summary>Makes a block in memory of its own. Only the caller's bytes are zeroed, on request; redzones are not filled yet.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory, or the block is too large to exist. Nothing has changed.</exception>
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

    /// <summary>Makes every access to a guarded block fault; false for an unguarded block, or when the system refuses.</summary>
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

    /// <summary>Notes that a block enters or leaves the quarantine.</summary>
    internal void SetQuarantined(CheckedBlock block, bool isQuarantined)
    {
        if (!block.IsGuarded)
        {
            _source.SetQuarantined((void*)block.Base, block.Footprint, isQuarantined);
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
        nuint accessible = RoundUp(size, osPage);
        nuint address = _guarded.Allocate(accessible, Math.Max(alignment, osPage));
        nuint end = address + accessible;
        nuint start = alignment > osPage ? address : end - RoundUp(size, alignment);
        return address == 0 ? default : new Layout(address, accessible + osPage, start, end);
    }

    /// <summary>The bytes that a block takes with its redzones.</summary>
    /// <exception cref="OutOfMemoryException">The sum overflows.</exception>
    private static nuint FootprintOf(nuint size, nuint alignment)
    {
        nuint beside = (2 * Redzone.SmallestSize) + alignment - IBlockSource.Alignment;
        if (size > long.MaxValue - BlockSizes.LargestAlignment - beside)
        {
#pragma warning disable CA2201 // callers of a heap expect this type when memory runs out
            throw new OutOfMemoryException($"A checked block of {size} bytes is too large: request a smaller one.");
#pragma warning restore CA2201
        }

        return BlockSizes.RoundUp(size + beside);
    }

    private static nuint RoundUp(nuint size, nuint powerOfTwo) => (size + powerOfTwo - 1) & ~(powerOfTwo - 1);

    private readonly record struct Layout(nuint Base, nuint Footprint, nuint Start, nuint End);
}
