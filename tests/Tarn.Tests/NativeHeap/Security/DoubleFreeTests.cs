using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>double_free, _delayed, _interleaved, _reuse, _single_reuse, for small and large blocks.</summary>
public unsafe class DoubleFreeTests : SecurityTest
{
    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_block_is_freed_twice_in_a_row(int length)
    {
        byte* block = AllocateHere((nuint)length);
        FreeHere(block);

        AssertDoubleFree(() => FreeHere(block), (nuint)length);
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_block_is_freed_again_after_many_others(int length)
    {
        byte* block = AllocateHere((nuint)length);
        FreeHere(block);
        for (int i = 0; i < 20; i++)
        {
            Heap.Free(Heap.Allocate((nuint)length));
        }

        AssertDoubleFree(() => FreeHere(block), (nuint)length);
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_block_is_freed_again_after_another_one(int length)
    {
        byte* first = AllocateHere((nuint)length);
        byte* second = AllocateHere((nuint)length);
        FreeHere(first);
        FreeHere(second);

        AssertDoubleFree(() => FreeHere(first), (nuint)length);
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_block_is_freed_twice_and_no_two_callers_get_the_same_afterwards(int length)
    {
        byte* block = AllocateHere((nuint)length);
        FreeHere(block);
        AssertDoubleFree(() => FreeHere(block), (nuint)length);

        HashSet<nuint> handedOut = [];
        for (int i = 0; i < 50; i++)
        {
            Assert.True(handedOut.Add((nuint)Heap.Allocate((nuint)length)));
        }

        foreach (nuint one in handedOut)
        {
            Heap.Free((void*)one);
        }
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_stale_free_does_not_take_the_block_that_was_allocated_since(int length)
    {
        byte* stale = AllocateHere((nuint)length);
        FreeHere(stale);
        byte* since = Heap.Allocate((nuint)length);
        Assert.True(since != stale);
        *since = 42;

        AssertDoubleFree(() => FreeHere(stale), (nuint)length);

        Assert.Equal(42, *since);
        Heap.Free(since);
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void A_block_is_freed_again_after_its_memory_went_back(int length)
    {
        byte* block = AllocateHere((nuint)length);
        FreeHere(block);
        Assert.True(Heap.Trim() > 0);

        AssertDoubleFree(() => FreeHere(block), (nuint)length);
    }

    [Fact]
    public void A_freed_block_is_reallocated()
    {
        byte* block = AllocateHere(100);
        FreeHere(block);

        AssertDoubleFree(() => Heap.Reallocate(block, 100, 200), 100);
    }

    [Fact]
    public void A_block_is_freed_that_a_reallocation_has_left()
    {
        byte* block = AllocateHere(100);
        block[99] = 7;
        byte* moved = ReallocateHere(block, 100, 104);
        Assert.True(moved != block && moved[99] == 7);

        Assert.Throws<InvalidOperationException>(() => Heap.Free(block));

        BufferIncident incident = Incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.DoubleReturn, incident.Kind);
        Assert.Contains(nameof(ReallocateHere), incident.ReturnedAt, StringComparison.Ordinal);
        Heap.Free(moved, 104);
    }

    [Fact]
    public void The_size_of_a_freed_block_is_asked_for()
    {
        byte* block = AllocateHere(100);
        Assert.Equal((nuint)100, Heap.GetUsableSize(block));
        FreeHere(block);

        InvalidOperationException thrown = Assert.Throws<InvalidOperationException>(() => Heap.GetUsableSize(block));
        Assert.Contains(nameof(FreeHere), thrown.Message, StringComparison.Ordinal);
        Incidents.AssertNone();
    }

    [Fact]
    public void Two_threads_free_one_block_at_once_and_exactly_one_succeeds()
    {
        for (int round = 1; round <= 200; round++)
        {
            byte* block = AllocateHere(64);
            int refused = 0;
            Parallel.For(0, 2, _ =>
            {
                try
                {
                    FreeHere(block);
                }
                catch (InvalidOperationException)
                {
                    Interlocked.Increment(ref refused);
                }
            });
            Assert.Equal(1, refused);
        }

        Heap.Validate();
        IncidentLog.WaitUntilHandled();
        Assert.Equal(200, Incidents.Count);
        Assert.All(Incidents.All, AssertNamesBoth);
    }
}
