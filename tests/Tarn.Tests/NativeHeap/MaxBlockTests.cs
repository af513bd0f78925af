namespace Tarn.Tests.NativeHeaps;

/// <summary>The most bytes of one block, whichever call asks for them.</summary>
public sealed unsafe class MaxBlockTests
{
    private const int Most = 1 << 20;
    private const int Above = Most + 1;

    public static TheoryData<BufferChecks> Checks => [BufferChecks.None, BufferChecks.Returns, BufferChecks.GuardPages];

    [Theory]
    [MemberData(nameof(Checks))]
    public void No_call_gets_more(BufferChecks checks)
    {
        using NativeHeap heap = new(new NativeHeapOptions { MaxBlockBytes = Most, Checks = checks, Name = "small" });
        using NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(Most / 2);
        using NativeScope scope = heap.CreateScope();
        nint block = (nint)heap.Allocate(Most / 2);
        Action[] calls =
        [
            () => heap.Allocate(Above),
            () => heap.AllocateZeroed(Above),
            () => heap.AllocateAligned(Above, 64),
            () => heap.Reallocate((void*)block, Most / 2, Above),
            () => heap.Reallocate((void*)block, Above),
            () => heap.AllocateBuffer<byte>(Above).Dispose(),
            () => heap.AllocateBuffer<byte>(Above, new() { Zeroed = true }).Dispose(),
            () => heap.AllocateBuffer<long>(Above / 8 + 1).Dispose(),
            () => new PooledWriter<byte>(heap, Above).Dispose(),
            () => scope.Allocate(Above),
            () => scope.Allocate<byte>(Above),
        ];
        foreach (Action call in calls)
        {
            string told = Assert.Throws<OutOfMemoryException>(call).Message;
            Assert.Contains("The heap small refuses a block of 1", told, StringComparison.Ordinal);
        }

        Assert.False(buffer.TryResize(Above));
        Assert.Equal(Most / 2, buffer.Length);
        heap.Free((void*)block, Most / 2);

        // A kept buffer of the largest class serves no more either.
        nuint most = (nuint)(checks == BufferChecks.None ? Most : Most / 2);
        heap.Free(heap.Allocate(most), most);
        Assert.Throws<OutOfMemoryException>(() => { _ = heap.Allocate(Above); });
    }

    [SkippableFact]
    public void Without_the_option_no_block_is_larger_than_what_the_process_may_have()
    {
        Skip.If(ProcessMemory.Limit == long.MaxValue, "this system does not tell it");
        nuint above = (nuint)ProcessMemory.Limit + (2 << 20);
        using NativeHeap heap = new();
        string told = Assert.Throws<OutOfMemoryException>(() => { _ = heap.Allocate(above); }).Message;
        Assert.Contains($"{above} bytes", told, StringComparison.Ordinal);
        Assert.Contains($"{ProcessMemory.Limit} bytes", told, StringComparison.Ordinal);
        Assert.Contains(nameof(NativeHeapOptions.MaxBlockBytes), told, StringComparison.Ordinal);
        Assert.Throws<OutOfMemoryException>(() => heap.AllocateBuffer<byte>((long)above).Dispose());
        Assert.Throws<OutOfMemoryException>(() => { _ = NativeHeap.Shared.Allocate(above); });

        // A program that touches little of a block may want it nevertheless.
        using NativeHeap sparse = new(new NativeHeapOptions { MaxBlockBytes = long.MaxValue });
        byte* block = (byte*)sparse.Allocate(above);
        block[above - 1] = 1;
        sparse.Free(block, above);
    }

    [Theory]
    [InlineData((256 << 10) - 1)]
    [InlineData(0)]
    [InlineData(-1)]
    public void The_option_says_its_least_value(long bytes)
    {
        string told = Assert.ThrowsAny<ArgumentException>(() => new NativeHeap(new NativeHeapOptions { MaxBlockBytes = bytes })).Message;
        Assert.Contains(nameof(NativeHeapOptions.MaxBlockBytes), told, StringComparison.Ordinal);
    }
}
