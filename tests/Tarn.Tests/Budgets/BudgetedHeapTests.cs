namespace Tarn.Tests.Budgets;

/// <summary>Heaps whose blocks are taken from a budget.</summary>
public sealed unsafe class BudgetedHeapTests
{
    private const long Limit = 4 << 20;

    private readonly BufferBudget _budget = new(Limit, "heaps");

    public static TheoryData<BufferChecks, bool> Kinds => new()
    {
        { BufferChecks.None, false }, { BufferChecks.None, true }, { BufferChecks.Returns, false }, { BufferChecks.All, true },
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void The_bytes_in_use_are_those_of_the_blocks_and_never_above_the_limit(BufferChecks checks, bool zeroes)
    {
        using NativeHeap heap = Create(checks, zeroes);
        Random random = new(5);
        List<(nint Block, nuint Size)> blocks = [];
        int refused = 0;
        for (int step = 0; step < 3_000; step++)
        {
            nuint size = (nuint)(random.Next(20) == 0 ? random.Next(1 << 20) : random.Next(1, 5_000));
            int index = random.Next(Math.Max(1, blocks.Count));
            try
            {
                switch (random.Next(8))
                {
                    case < 4:
                        void* block = random.Next(3) switch
                        {
                            0 => heap.Allocate(size),
                            1 => heap.AllocateZeroed(size),
                            _ => heap.AllocateAligned(size, 64),
                        };
                        blocks.Add(((nint)block, heap.GetUsableSize(block)));
                        break;
                    case 4 when blocks.Count > 0:
                        void* resized = heap.Reallocate((void*)blocks[index].Block, size);
                        blocks[index] = ((nint)resized, heap.GetUsableSize(resized));
                        break;
                    case > 4 when blocks.Count > 0:
                        heap.Free((void*)blocks[index].Block);
                        blocks.RemoveAt(index);
                        break;
                }
            }
            catch (BufferBudgetExceededException)
            {
                refused++;
            }

            Assert.Equal(blocks.Sum(static block => (long)block.Size), _budget.InUse);
        }

        Assert.True(refused > 0);
        Assert.Throws<BufferBudgetExceededException>(() => { _ = heap.Allocate((nuint)Limit + 1); });
        heap.Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    [Theory]
    [InlineData(BufferChecks.None)]
    [InlineData(BufferChecks.All)]
    public void Scopes_buffers_and_refused_frees_count_too(BufferChecks checks)
    {
        using NativeHeap heap = Create(checks, zeroes: false);
        using (NativeScope scope = heap.CreateScope())
        {
            _ = scope.Allocate(1_000);
            Assert.True(_budget.InUse >= 1_000);
        }

        Assert.Equal(0, _budget.InUse);
        using (NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(100_000))
        {
            Assert.True(_budget.InUse >= 100_000);
        }

        Assert.Equal(0, _budget.InUse);
        void* block = heap.Allocate(1 << 20);
        long before = _budget.InUse;
        Assert.Throws<BufferBudgetExceededException>(() => { _ = heap.Reallocate(block, 1 << 20, (nuint)Limit * 2); });
        if (checks != BufferChecks.None)
        {
            Assert.Throws<InvalidOperationException>(() => heap.Free((byte*)block + 8));
        }

        Assert.Equal(before, _budget.InUse);
        heap.Free(block, 1 << 20);
        Assert.Equal(0, _budget.InUse);
    }

    /// <summary>The system refuses, or the collector does in the middle of the call, or the heap was disposed.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(2 << 20)]
    public void What_an_allocation_takes_that_fails_goes_back(int size)
    {
        FailingMemory memory = new();
        NativeHeap heap = new(new NativeHeapOptions { Budget = _budget, Checks = BufferChecks.None, Memory = memory });
        memory.Refuse(static () => true);
        Assert.Throws<OutOfMemoryException>(() => { _ = heap.Allocate((nuint)size); });
        memory.Refuse(static () => throw new InsufficientMemoryException());
        Assert.ThrowsAny<OutOfMemoryException>(() => { _ = heap.Allocate((nuint)size); });
        Assert.Equal(0, _budget.InUse);
        memory.RefuseNothing();
        heap.Dispose();
        Assert.Throws<ObjectDisposedException>(() => { _ = heap.Allocate((nuint)size); });
        Assert.Equal(0, _budget.InUse);
    }

    private NativeHeap Create(BufferChecks checks, bool zeroes) =>
        new(new NativeHeapOptions { Budget = _budget, Checks = checks, ClearOnFree = zeroes });
}
