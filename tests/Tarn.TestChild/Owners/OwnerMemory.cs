namespace Tarn.TestChild.Owners;

/// <summary>The memory of the owners of a race, theirs alone: a pool and a heap that take their bytes from one budget.</summary>
internal sealed class OwnerMemory : IDisposable
{
    /// <summary>What owners of a race contain, and what those that get their memory contain.</summary>
    internal const byte Own = 0x5A;
    private const byte Foreign = 0xA5;

    private static readonly int[] s_sizes = [300, 1000, 5000, 20_000, 300_000];

    internal OwnerMemory(bool isChecked, bool keepsMemory)
    {
        BufferChecks checks = isChecked ? BufferChecks.Returns : BufferChecks.None;
        Budget = new BufferBudget(1L << 34);
        Pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "raced", Checks = checks, Budget = Budget });
        HeapOptions = new NativeHeapOptions
        {
            Name = "raced",
            Checks = checks,
            Budget = Budget,
            MaxRetainedBytes = keepsMemory ? 1L << 30 : 0,
        };
        Heap = new NativeHeap(HeapOptions);
    }

    internal BufferBudget Budget { get; }

    internal BufferPool<byte> Pool { get; }

    internal NativeHeap Heap { get; }

    internal NativeHeapOptions HeapOptions { get; }

    internal static byte[] Bytes { get; } = Fill(300);

    internal static byte[] ManyBytes { get; } = Fill(40_000);

    /// <inheritdoc/>
    public void Dispose() => Heap.Dispose();

    /// <summary>Throws if the contents of an owner are not its own.</summary>
    internal static void Verify(ReadOnlySpan<byte> contents)
    {
        int foreign = contents.IndexOfAnyExcept(Own);
        if (foreign >= 0)
        {
            throw new InvalidDataException($"Byte {foreign} of {contents.Length} is {contents[foreign]:X2}, which is not the owner's.");
        }
    }

    /// <summary>Takes the memory that the last owner returned, and writes to it.</summary>
    internal NativeBuffer<byte>[] Reuse()
    {
        foreach (int size in s_sizes)
        {
            byte[] array = Pool.Rent(size);
            array.AsSpan().Fill(Foreign);
            Pool.Return(array);
        }

        NativeBuffer<byte>[] buffers = [.. s_sizes.Select(size => Heap.AllocateBuffer<byte>(size))];
        Array.ForEach(buffers, static buffer => buffer.Span.Fill(Foreign));
        return buffers;
    }

    /// <summary>Whether nobody wrote to native memory that was reused. Arrays may have been written to by a copy that had begun.</summary>
    internal static bool AreUntouched(NativeBuffer<byte>[] reused) => reused.All(static one => one.Span.IndexOfAnyExcept(Foreign) < 0);

    /// <summary>Returns what is wrong with the memory after all races: some is still in use, or went back twice.</summary>
    internal string? FindLoss(int races)
    {
        BufferPoolStatistics pool = Pool.GetStatistics();
        NativeHeapStatistics heap = Heap.GetStatistics();
        Heap.Validate();
        return (pool.InUseBytes, pool.Rented - pool.Returned, heap.InUseBytes, heap.InUseBlocks, Budget.InUse) == (0, 0, 0, 0, 0) ? null
            : $"After {races} races {pool.InUseBytes} bytes of arrays and {heap.InUseBytes} in {heap.InUseBlocks} blocks are in use, "
                + $"{pool.Rented} arrays were rented and {pool.Returned} returned, and {Budget.InUse} bytes of the budget are taken.";
    }

    private static byte[] Fill(int length)
    {
        byte[] bytes = new byte[length];
        bytes.AsSpan().Fill(Own);
        return bytes;
    }
}
