using System.Reflection;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <content>Every member at the edges of its arguments. Heaps with checks and without agree, except where the text says so.</content>
public abstract unsafe partial class NativeHeapContract
{
    private const nuint Alignment = 64;

    /// <summary>Members that take neither a size nor a block; other tests are about them.</summary>
    private static readonly string[] s_withoutEdges =
        [nameof(NativeHeap.CreateScope), nameof(NativeHeap.Dispose), nameof(NativeHeap.GetStatistics), nameof(NativeHeap.Trim)];

    private static IEnumerable<nuint> EdgeSizes =>
        ClassSizes.Where(static size => size <= 1 << 20).SelectMany(static size => (nuint[])[size - 1, size, size + 1])
            .Append((nuint)0).Append((nuint)1).Distinct();

    /// <summary>A block for a size, from each member that hands one out. Marked are those whose block is zero and aligned.</summary>
    private (string Member, Func<nuint, nint> Call, bool IsZero, bool IsAligned)[] Allocations =>
    [
        (nameof(NativeHeap.Allocate), size => (nint)Heap.Allocate(size), false, false),
        (nameof(NativeHeap.AllocateZeroed), size => (nint)Heap.AllocateZeroed(size), true, false),
        (nameof(NativeHeap.AllocateAligned), size => (nint)Heap.AllocateAligned(size, Alignment), false, true),
        (nameof(NativeHeap.Reallocate), size => (nint)Heap.Reallocate(null, 0, size), false, false),
        (nameof(NativeHeap.Reallocate), size => (nint)Heap.Reallocate(null, size), false, false),
        (nameof(NativeHeap.Reallocate), size => (nint)Heap.Reallocate(Heap.Allocate(0), 0, size), false, false),
        (nameof(NativeHeap.Reallocate), size => (nint)Heap.Reallocate(Heap.Allocate(size), size, size), false, false),
        (nameof(NativeHeap.Reallocate), size => (nint)Heap.Reallocate(Heap.Allocate(300_000), size), false, false),
        (nameof(NativeHeap.ReallocateAligned), size => (nint)Heap.ReallocateAligned(null, 0, size, Alignment), false, true),
        (nameof(NativeHeap.ReallocateAligned), size =>
            (nint)Heap.ReallocateAligned(Heap.AllocateAligned(0, Alignment), 0, size, Alignment), false, true),
    ];

    /// <summary>Each way to free a block of a size that was not aligned.</summary>
    private (string Member, Action<nint, nuint> Call)[] Frees =>
    [
        (nameof(NativeHeap.Free), (block, size) => Heap.Free((void*)block, size)),
        (nameof(NativeHeap.Free), (block, size) => Heap.Free((void*)block, Math.Max(size, 1))),
        (nameof(NativeHeap.Free), (block, size) => Heap.Free((void*)block)),
        (nameof(NativeHeap.Free), (block, size) => Heap.Free((void*)block, Heap.GetUsableSize((void*)block))),
        (nameof(NativeHeap.Reallocate), (block, size) => Heap.Free(Heap.Reallocate((void*)block, size, 0), 1)),
    ];

    private (string Member, Action<nint, nuint> Call)[] AlignedFrees =>
    [
        (nameof(NativeHeap.FreeAligned), (block, size) => Heap.FreeAligned((void*)block, size, Alignment)),
        (nameof(NativeHeap.FreeAligned), (block, size) => Heap.FreeAligned((void*)block, Math.Max(size, 1), Alignment)),
        (nameof(NativeHeap.Free), (block, size) => Heap.Free((void*)block)),
        (nameof(NativeHeap.ReallocateAligned), (block, size) =>
            Heap.FreeAligned(Heap.ReallocateAligned((void*)block, size, 0, Alignment), 1, Alignment)),
    ];

    [Fact]
    public void Every_byte_of_every_edge_size_is_the_callers_whatever_hands_the_block_out_and_takes_it_back()
    {
        using IncidentLog incidents = new(Heap.Name);
        int pairs = 0;
        int step = IsChecked ? StressLength.Times(5, 1) : 1;
        foreach (nuint size in EdgeSizes)
        {
            foreach ((string member, Func<nuint, nint> allocate, bool isZero, bool isAligned) in Allocations)
            {
                foreach ((string freeing, Action<nint, nuint> free) in isAligned ? AlignedFrees : Frees)
                {
                    if (pairs++ % step != 0)
                    {
                        continue;
                    }

                    nint block = allocate(size);
                    VerifyEdge($"{member} of {size}", (byte*)block, size, isZero);
                    free(block, size);
                }
            }
        }

        VerifyNothingInUse();
        AssertNothingFound(incidents);
    }

    /// <summary>So many that checks with guard pages guard several.</summary>
    [Fact]
    public void Size_zero_is_one_byte_for_every_block_of_many()
    {
        using IncidentLog incidents = new(Heap.Name);
        for (int i = 0; i < 300; i++)
        {
            byte* block = (byte*)Heap.AllocateZeroed(0);
            Assert.Equal(0, *block);
            *block = 7;
            block = (byte*)Heap.Reallocate(block, 0, 8);
            Assert.Equal(7, *block);
            block = (byte*)Heap.Reallocate(block, 8, 0);
            Assert.Equal(7, *block);
            Heap.Free(block, 1);
            byte* plain = (byte*)Heap.Allocate(0);
            *plain = 8;
            Heap.Free(plain, 0);
        }

        VerifyNothingInUse();
        AssertNothingFound(incidents);
    }

    /// <summary>This is the difference between the two kinds of heaps: checks refuse a wrong size, and change nothing.</summary>
    [Fact]
    public void A_wrong_size_within_the_class_frees_a_block_unless_checks_refuse_it()
    {
        foreach (nuint size in (nuint[])[2, 4, 33, 40, 100, 1000, 262_144, 300_000])
        {
            nuint wrong = BlockSizes.RoundUp(size) == size ? size - 1 : size + 1;
            void* block = Heap.Allocate(size);
            if (IsChecked)
            {
                Assert.Throws<InvalidOperationException>(() => Heap.Free(block, wrong));
                Assert.Throws<InvalidOperationException>(() => { Heap.Reallocate(block, wrong, 10); });
                Assert.Equal(size, Heap.GetUsableSize(block));
                Heap.Free(block, size);
            }
            else
            {
                Heap.Free(block, wrong);
            }
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void Lengths_of_buffers_that_cannot_be_are_refused_and_length_zero_is_not()
    {
        Assert.Throws<ArgumentOutOfRangeException>("length", () => Heap.AllocateBuffer<byte>(-1));
        Assert.Throws<ArgumentOutOfRangeException>("length", () => Heap.AllocateBuffer<byte>(long.MinValue));
        Assert.Throws<ArgumentOutOfRangeException>("length", () => Heap.AllocateBuffer<byte>(-1, new() { Zeroed = true }));
        Assert.ThrowsAny<OutOfMemoryException>(() => Heap.AllocateBuffer<byte>(long.MaxValue));
        Assert.ThrowsAny<OutOfMemoryException>(() => Heap.AllocateBuffer<byte>(long.MaxValue, new() { Zeroed = true }));
        foreach (int length in (int[])[0, 1, 4, 5, 100])
        {
            using NativeBuffer<byte> buffer = Heap.AllocateBuffer<byte>(length);
            using NativeBuffer<byte> zeroed = Heap.AllocateBuffer<byte>(length, new() { Zeroed = true });
            *buffer.Pointer = 7;
            Assert.Equal((0, (long)length, (long)length), (*zeroed.Pointer, buffer.Length, zeroed.Length));
        }

        VerifyNothingInUse();
    }

    [Fact]
    public void The_edges_cover_every_member_that_takes_a_size_or_a_block()
    {
        IEnumerable<string> members = typeof(NativeHeap)
            .GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Where(static method => !method.IsSpecialName).Select(static method => method.Name).Distinct();
        IEnumerable<string> covered = Allocations.Select(static way => way.Member).Concat(Frees.Select(static way => way.Member))
            .Concat(AlignedFrees.Select(static way => way.Member))
            .Concat([nameof(NativeHeap.GetUsableSize), nameof(NativeHeap.AllocateBuffer)]).Concat(s_withoutEdges).Distinct();
        Assert.Equal(members.Order(), covered.Order());
    }

    private void AssertNothingFound(IncidentLog incidents)
    {
        if (IsChecked)
        {
            Heap.Trim();
            incidents.AssertNone();
        }
    }

    private void VerifyEdge(string what, byte* block, nuint size, bool isZero)
    {
        nuint bytes = Math.Max(size, 1);
        nuint usable = Heap.GetUsableSize(block);
        bool isRight = IsChecked ? usable == bytes : usable >= bytes && usable == NativeHeap.GetBlockSize(usable);
        Assert.True(block != null && isRight, $"{what} bytes gives {usable}.");
        Assert.True(!isZero || BlockContents.IsAll(block, bytes, 0), $"{what} bytes is not zero.");
        block[0] = 7;
        block[bytes - 1] = 7;
    }
}
