using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Refusals;

/// <summary>A call of a heap with a budget that throws has changed nothing, and every honest call after it is accepted.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class RefusedHeapCallTests
{
    private const nuint Small = 100;
    private const nuint Large = 1 << 20;
    private const nuint Larger = 2 << 20;

    /// <summary>More than the budget has.</summary>
    private const nuint Beyond = 9 << 20;

    public static TheoryData<Company> Companies => Company.All;

    [Theory]
    [MemberData(nameof(Companies))]
    public void Every_refused_call_changes_nothing(Company company)
    {
        using RefusedCalls calls = new(company);
        using NativeHeap heap = Create(company, calls.Tenant);
        void* small = heap.Allocate(Small);
        void* large = heap.Allocate(Large);
        void* aligned = heap.AllocateAligned(Large, 4096);
        void* gone = heap.Allocate(Large);
        heap.Free(gone, Large);
        byte* elsewhere = stackalloc byte[64];
        Watch(calls, heap);

        calls.Refuse("a second free", () => heap.Free(gone, Large));
        calls.Refuse("a second free by the address", () => heap.Free(gone));
        calls.Refuse("a free inside a block", () => heap.Free((byte*)small + 4, Small));
        calls.Refuse("a free inside a block by the address", () => heap.Free((byte*)small + 4));
        calls.Refuse("a free of the stack", () => heap.Free(elsewhere, Small));
        calls.Refuse("a free of the stack by the address", () => heap.Free(elsewhere));
        calls.Refuse("a free of no alignment", () => heap.FreeAligned(aligned, Large, 3));
        calls.Refuse("a free of a type's size", () => heap.Free<long>(elsewhere));
        calls.Refuse("a block that is gone", () => heap.Reallocate(gone, Large, Larger));
        calls.Refuse("a block that is gone, by the address", () => heap.Reallocate(gone, Small));
        calls.Refuse("memory from elsewhere", () => heap.Reallocate(elsewhere, Small, 10));
        calls.Refuse("memory from elsewhere, by the address", () => heap.Reallocate(elsewhere, 10));
        calls.Refuse("no alignment", () => heap.ReallocateAligned(aligned, Large, Larger, 3));
        calls.Refuse("the usable size of nothing", () => heap.GetUsableSize(elsewhere));
        if (company.Checks != BufferChecks.Leaks)
        {
            // These checks look for leaks alone, and believe the address.
            calls.Refuse("a free of another size", () => heap.Free(large, Small));
            calls.Refuse("a free of a larger size", () => heap.Free(small, Large));
            calls.Refuse("an aligned free of another size", () => heap.FreeAligned(aligned, Small, 4096));
            calls.Refuse("another old size, to less", () => heap.Reallocate(large, Small, 10));
            calls.Refuse("another old size, to more", () => heap.Reallocate(small, Large, Larger));
        }

        RefuseMore(calls, heap, small, large, aligned);

        heap.Free(small, Small);
        heap.Free(large, Large);
        heap.FreeAligned(aligned, Large, 4096);
        Assert.Equal((0, 0, 0), (calls.Tenant.InUse, calls.All.InUse, heap.GetStatistics().InUseBytes));
        heap.Validate();
    }

    /// <summary>The system refuses each call in its turn, with the memory of a large buffer that grows, and of blocks.</summary>
    [Theory]
    [MemberData(nameof(Companies))]
    public void A_system_that_refuses_changes_nothing(Company company)
    {
        using RefusedCalls calls = new(company);
        FailingMemory memory = new();
        using (NativeHeap heap = Create(company, calls.Tenant, memory))
        {
            void* large = heap.Allocate(Large);
            using NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>((int)Large);
            heap.Trim();
            Watch(calls, heap);
            memory.Refuse(1, andAllAfter: true);
            calls.Refuse("a block", () => heap.Allocate(Small));
            calls.Refuse("a zeroed block", () => heap.AllocateZeroed(Small));
            calls.Refuse("a large block", () => heap.Allocate(Larger));
            calls.Refuse("a large zeroed block", () => heap.AllocateZeroed(Larger));
            calls.Refuse("an aligned block", () => heap.AllocateAligned(Larger, 4096));
            calls.Refuse("more", () => heap.Reallocate(large, Large, Larger));
            calls.Refuse("more, by the address", () => heap.Reallocate(large, Larger));
            calls.Refuse("a buffer", () => heap.AllocateBuffer<byte>((int)Larger).Dispose());
            calls.Decline("a longer buffer", () => buffer.TryResize((int)Larger));
            memory.RefuseNothing();
            heap.Free(large, Large);
        }

        Assert.Equal((0, 0), (calls.Tenant.InUse, calls.All.InUse));
        memory.AssertNothingLeaks();
    }

    /// <summary>A request that waits would take at once what a refused call gave back, and not give it again.</summary>
    [Theory]
    [InlineData(BufferChecks.None)]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.All)]
    public void A_refused_resize_gives_those_that_wait_nothing(BufferChecks checks)
    {
        BufferBudget budget = new(2 << 20);
        using NativeHeap heap = new(new NativeHeapOptions { Budget = budget, Checks = checks });
        nint block = (nint)heap.Allocate(1 << 20);
        nint rest = (nint)heap.Allocate(1 << 20);
        Task waiting = budget.TakeAsync(1000).AsTask();
        long before = budget.InUse;
        Assert.Throws<InvalidOperationException>(() => { _ = heap.Reallocate((void*)block, 2 << 20, 300_000); });
        Assert.Throws<InvalidOperationException>(() => { _ = heap.Reallocate((void*)(block + 64), 1 << 20, 300_000); });
        Assert.Equal((before, 1, false), (budget.InUse, budget.Waiting, waiting.IsCompleted));
        heap.Free((void*)block, 1 << 20);
        Eventually.True(() => waiting.IsCompletedSuccessfully, "the bytes of an honest free");
        heap.Free((void*)rest, 1 << 20);
        budget.Return(1000);
        Assert.Equal(0, budget.InUse);
    }

    /// <summary>Without checks a second free is accepted. It costs no other owner anything, and the heap's end survives it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_end_of_a_heap_survives_a_second_free(bool isDisposed)
    {
        BufferBudget budget = new(1 << 20);
        budget.Take(500);
        Worker.RunOnce(() => FreeTwice(budget, isDisposed));
        Eventually.Collect();
        Assert.Equal(500, budget.InUse);

        static void FreeTwice(BufferBudget budget, bool isDisposed)
        {
            NativeHeap heap = new(new NativeHeapOptions { Budget = budget, Checks = BufferChecks.None });
            void* block = heap.Allocate(Small);
            void* honest = heap.Allocate(Small);
            heap.Free(block, Small);
            heap.Free(block, Small);
            heap.Free(honest, Small);
            Assert.Equal(500, budget.InUse);
            if (isDisposed)
            {
                heap.Dispose();
            }
        }
    }

    private static void RefuseMore(RefusedCalls calls, NativeHeap heap, void* small, void* large, void* aligned)
    {
        using NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>((int)Large);
        using NativeBuffer<long> typed = heap.AllocateBuffer<long>((int)Large / 8);
        using NativeScope scope = heap.CreateScope();
        scope.Allocate(Small);
        calls.Refuse("more than the budget", () => heap.Allocate(Beyond));
        calls.Refuse("more than the budget, zeroed", () => heap.AllocateZeroed(Beyond));
        calls.Refuse("more than the budget, aligned", () => heap.AllocateAligned(Beyond, 4096));
        calls.Refuse("no such alignment", () => heap.AllocateAligned(Small, 48));
        calls.Refuse("growth beyond the budget", () => heap.Reallocate(large, Large, Beyond));
        calls.Refuse("growth of a small block beyond it", () => heap.Reallocate(small, Small, Beyond));
        calls.Refuse("growth of an aligned block beyond it", () => heap.ReallocateAligned(aligned, Large, Beyond, 4096));
        calls.Refuse("a buffer beyond the budget", () => heap.AllocateBuffer<byte>((int)Beyond).Dispose());
        calls.Refuse("a typed buffer beyond the budget", () => heap.AllocateBuffer<long>((int)Beyond / 8).Dispose());
        calls.Refuse("a buffer of a negative length", () => heap.AllocateBuffer<byte>(-1).Dispose());
        calls.Refuse("a scope beyond the budget", () => scope.Allocate(Beyond));
        calls.Refuse("a writer beyond the budget", () => new PooledWriter<long>(heap, (int)Beyond / 8).Dispose());
        calls.Refuse("a block that no system has", () => heap.Allocate((nuint)1 << 62));
        calls.Refuse("a size that wraps", () => heap.Allocate(nuint.MaxValue));
        calls.Refuse("an alignment that wraps", () => heap.AllocateAligned(nuint.MaxValue, 4096));
        calls.Refuse("growth to a size that wraps", () => heap.Reallocate(large, Large, nuint.MaxValue));
        calls.Decline("a buffer's growth beyond the budget", () => buffer.TryResize((int)Beyond));
        calls.Decline("a typed buffer's growth beyond it", () => typed.TryResize((int)Beyond / 8));
        using MemoryHandle pin = buffer.Pin();
        calls.Decline("a pinned buffer's growth", () => buffer.TryResize((int)Larger));
        calls.Refuse("a pin outside", () => buffer.Pin((int)Large + 1));
    }

    private static void Watch(RefusedCalls calls, NativeHeap heap) => calls.Watch(heap, () =>
    {
        heap.Validate();
        NativeHeapStatistics now = heap.GetStatistics();
        return $"{now.InUseBytes} bytes, {now.InUseBlocks} blocks";
    });

    private static NativeHeap Create(Company company, BufferBudget budget, FailingMemory? memory = null) => new(new NativeHeapOptions
    {
        Budget = budget,
        Checks = company.Checks,
        ClearOnFree = company.Clears,
        Memory = memory,
        Clock = new ManualClock(followsCollections: false).Trim,
    });
}
