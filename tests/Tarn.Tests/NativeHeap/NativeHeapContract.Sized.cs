using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <content>Frees with and without a size, from a pool, and of typed blocks.</content>
public abstract unsafe partial class NativeHeapContract
{
    [Fact]
    public void Blocks_of_every_class_are_known_and_freed_by_their_address_alone()
    {
        nuint[] sizes = [.. ClassSizes.Where(static size => size <= 32 << 20), (1 << 30) + 1];
        nint[] blocks = Array.ConvertAll(sizes, size => (nint)Heap.Allocate(size));
        for (int i = 0; i < sizes.Length; i++)
        {
            nuint usable = Heap.GetUsableSize((void*)blocks[i]);
            Assert.True(IsChecked ? usable >= sizes[i] : usable == NativeHeap.GetBlockSize(sizes[i]), $"{sizes[i]} has {usable}.");
        }

        foreach (nint block in blocks)
        {
            Heap.Free((void*)block);
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void Blocks_in_the_middle_of_many_are_known_by_their_address()
    {
        foreach (nuint size in (nuint[])[4, 12, 40, 112, 1792, 5120, 57_344, 262_144])
        {
            int count = Times((int)Math.Clamp((4 << 20) / size, 100, 2000));
            nint[] blocks = [.. Enumerable.Range(0, count).Select(_ => (nint)Heap.Allocate(size))];
            foreach (nint block in blocks)
            {
                nuint usable = Heap.GetUsableSize((void*)block);
                Assert.True(IsChecked ? usable >= size : usable == size, $"A block of {size} bytes at {block:x} is said to have {usable}.");
            }

            foreach (nint block in blocks)
            {
                Heap.Free((void*)block);
            }
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void Any_size_of_a_block_s_class_frees_it()
    {
        if (IsChecked)
        {
            return;
        }

        foreach (nuint size in ClassSizes.Where(static size => size is > 4 and <= 8 << 20))
        {
            nuint smallest = BlockSizes.SizeOf((int)BlockSizes.IndexOf(size) - 1) + 1;
            Heap.Free(Heap.Allocate(size), smallest);
            Heap.Free(Heap.Allocate(smallest), size);
        }

        Heap.Free(Heap.Allocate(0), 4);
        Heap.Free(Heap.Allocate(3), 0);
        VerifyNothingInUse();
    }

    [Fact]
    public void A_type_s_block_holds_a_value_of_it()
    {
        HoldsValue<byte>(7);
        HoldsValue(1.5m);
        HoldsValue(Guid.NewGuid());
        HoldsValue((1, 2L, (byte)3));
        HoldsValue(new Padded(true, 3, 4, DateTime.MaxValue));
        VerifyNothingInUse();

        void HoldsValue<T>(T value)
            where T : unmanaged
        {
            nint[] blocks = new nint[100];
            for (int i = 0; i < blocks.Length; i++)
            {
                T* block = Heap.Allocate<T>();
                Assert.True((nuint)block % BlockSizes.AlignmentOf(NativeHeap.GetBlockSize((nuint)sizeof(T))) == 0);
                *block = value;
                blocks[i] = (nint)block;
            }

            foreach (nint block in blocks)
            {
                Assert.Equal(value, *(T*)block);
                Heap.Free((T*)block);
            }
        }
    }
}
