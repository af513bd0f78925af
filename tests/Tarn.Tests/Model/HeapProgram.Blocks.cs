using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <content>The steps that hand blocks out, take them back and change their size.</content>
internal sealed unsafe partial class HeapProgram
{
    /// <summary>Small and large, popular and odd, and those at the boundaries of classes and slabs.</summary>
    private nuint AnySize()
    {
        switch (_random.Next(20))
        {
            case 0:
                return 0;
            case < 6:
                return (nuint)_random.Next(1, 64);
            case < 9:
                return 100;
            case < 13:
                return (nuint)_random.Next(1, 3000);
            case < 15:
                return (nuint)_random.Next(1, 40_000);
            case < 18:
                nuint boundary = BlockSizes.SizeOf(_random.Next(BlockSizes.SlabClassCount - 12));
                return boundary + (nuint)_random.Next(3) - 1;
            case 18:
                return BlockSizes.LargestSlabSize - 2 + (nuint)_random.Next(5);
            default:
                return (nuint)_random.Next(1, 2 << 20);
        }
    }

    private void AllocateOne(HeapModel model)
    {
        NativeHeap heap = model.Heap;
        nuint size = AnySize();
        switch (_random.Next(12))
        {
            case < 5:
                Add(model, heap.Allocate(size), size, 0);
                break;
            case < 7:
                void* cleared = heap.AllocateZeroed(size);
                Assert.True(BlockContents.IsAll(cleared, size, 0), $"A block of {size} bytes was not cleared.");
                Add(model, cleared, size, 0);
                break;
            case 7:
                nuint alignment = (nuint)1 << _random.Next(_random.Next(8) == 0 ? 22 : 13);
                Add(model, heap.AllocateAligned(size, alignment), size, alignment);
                break;
            case < 10 when size <= BlockSizes.LargestSlabSize:
                nuint whole = NativeHeap.GetBlockSize(size);
                Add(model, heap.Allocate(whole), whole, 0);
                break;
            case < 11:
                Add(model, heap.Reallocate(null, 0, size), size, 0);
                break;
            default:
                AllocateValue(model);
                break;
        }
    }

    private void AllocateValue(HeapModel model)
    {
        switch (_random.Next(3))
        {
            case 0:
                Add(model, model.Heap.Allocate<byte>(), sizeof(byte), 0);
                break;
            case 1:
                Add(model, model.Heap.Allocate<Guid>(), (nuint)sizeof(Guid), 0);
                break;
            default:
                Add(model, model.Heap.Allocate<(long, long, int)>(), (nuint)sizeof((long, long, int)), 0);
                break;
        }
    }

    private void Add(HeapModel model, void* address, nuint requested, nuint alignment)
    {
        LiveBlock block = model.Add(address, requested, alignment);
        foreach (HeapModel other in _heaps)
        {
            int at = other.Live.FindIndex(live => live.Stamp != block.Stamp && live.Overlaps(block));
            Assert.True(at < 0, at < 0 ? "" : $"Two callers share memory: {other.Live[at]} and {block}.");
        }
    }

    private LiveBlock Take(HeapModel model)
    {
        // Mostly the last, as stacks of calls do; else any.
        int at = _random.Next(3) > 0 ? model.Live.Count - 1 : _random.Next(model.Live.Count);
        LiveBlock block = model.Live[at];
        model.Live.RemoveAt(at);
        model.VerifyContents(block);
        return block;
    }

    private void FreeOne(HeapModel model)
    {
        LiveBlock block = Take(model);
        void* address = (void*)block.Address;
        switch (_random.Next(6))
        {
            case 0:
                model.Heap.Free(address);
                break;
            case 1 when block.Alignment == 0 && IsWhole(model, block):
                model.Heap.Free(address, NativeHeap.GetBlockSize(block.Requested));
                break;
            case 2 when block.Alignment == 0 && block.Requested == (nuint)sizeof(Guid):
                model.Heap.Free((Guid*)address);
                break;
            case 3 when block.Alignment == 0 && !model.IsChecked:
                model.Heap.Free(address, AnySizeOfClass(block.Usable));
                break;
            default:
                if (block.Alignment == 0)
                {
                    model.Heap.Free(address, block.Requested);
                }
                else
                {
                    model.Heap.FreeAligned(address, block.Requested, block.Alignment);
                }

                break;
        }
    }

    /// <summary>Whether the block may be freed with its block size. A checked heap wants the very size back that was asked for.</summary>
    private static bool IsWhole(HeapModel model, LiveBlock block) =>
        !model.IsChecked || block.Requested == NativeHeap.GetBlockSize(block.Requested);

    private nuint AnySizeOfClass(nuint blockSize)
    {
        nuint below = blockSize <= 4 || blockSize > BlockSizes.LargestClassSize
            ? blockSize - 1
            : BlockSizes.SizeOf((int)BlockSizes.IndexOf(blockSize) - 1);
        return below + 1 + (nuint)_random.NextInt64((long)(blockSize - below));
    }

    private void ReallocateOne(HeapModel model)
    {
        int last = model.Live.FindLastIndex(static block => block.Alignment == 0);
        if (last < 0)
        {
            return;
        }

        LiveBlock old = model.Live[last];
        model.Live.RemoveAt(last);
        model.VerifyContents(old);
        nuint size = _random.Next(3) > 0 ? AnySize() : Math.Min(old.Requested * 2, 8 << 20);
        void* moved = model.Heap.Reallocate((void*)old.Address, old.Requested, size);
        if (!model.IsChecked && NativeHeap.GetBlockSize(size) == old.Usable)
        {
            Assert.Equal(old.Address, (nint)moved);
        }

        // The whole usable size was written, and the requested size must be kept.
        BlockContents.VerifyStart(moved, old.Usable, Math.Min(old.Requested, size), old.Stamp);
        Add(model, moved, size, 0);
    }
}
