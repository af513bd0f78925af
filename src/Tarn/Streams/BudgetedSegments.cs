namespace Tarn;

/// <summary>Memory of streams that have a budget. What it takes for a segment is the size of the segment's memory.</summary>
internal static unsafe class BudgetedSegments
{
    /// <exception cref="BufferBudgetExceededException">The budget has no room; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The stream was disposed while the call waited; nothing has changed.</exception>
    internal static byte[] Rent(int size, in SegmentedBytes contents) => BudgetedArrays<byte>.Rent(
        contents.Options.Pool ?? BufferPool<byte>.Shared, contents.Options.Budget!, size, TermsOf(contents));

    /// <inheritdoc cref="Rent" path="/exception"/>
    internal static void* Allocate(int size, bool isZeroed, in SegmentedBytes contents)
    {
        PooledMemoryStreamOptions options = contents.Options;
        BudgetCredit.Take(options.Budget!, size, TermsOf(contents));
        try
        {
            return isZeroed ? options.Heap!.AllocateZeroed((nuint)size) : options.Heap!.Allocate((nuint)size);
        }
        catch
        {
            BudgetCredit.Return(options.Budget!, size);
            throw;
        }
    }

    /// <summary>Returns less than is wanted, down to what is missing, where the budget could never grant it to this stream.</summary>
    internal static long Fit(in SegmentedBytes contents, long missing, long wanted)
    {
        if (contents.Options.Budget is { } budget)
        {
            long most = budget.LeastLimit - contents.Held;
            while (wanted > missing && SizeOf(wanted, contents.Options) > most)
            {
                wanted = Math.Max(missing, wanted / 2);
            }
        }

        return wanted;
    }

    /// <summary>What a segment of at least some size takes, if it is not larger than segments are.</summary>
    private static long SizeOf(long size, PooledMemoryStreamOptions options) =>
        size > SegmentedBytes.LargestSegment ? size
        : options.Heap is null ? (options.Pool ?? BufferPool<byte>.Shared).LengthOfRent((int)size)
        : (long)NativeHeap.GetBlockSize((nuint)size);

    /// <summary>Returns the bytes of memory that went back to its source, if the stream has a budget.</summary>
    internal static void Return(int size, PooledMemoryStreamOptions options)
    {
        if (options.Budget is { } budget)
        {
            BudgetCredit.Return(budget, size);
        }
    }

    /// <summary>The terms of a call that blocks.</summary>
    private static BudgetTerms TermsOf(in SegmentedBytes contents) => new()
    {
        Timeout = contents.Options.BudgetTimeout,
        Cancellation = contents.Options.BudgetCancellationToken,
        Holder = contents.Holder,
        Held = contents.Holder is null ? 0 : contents.Held,
    };
}
