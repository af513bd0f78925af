namespace Tarn;

/// <summary>Memory of streams that have a budget. What it takes for a segment is the size of the segment's memory.</summary>
internal static unsafe class BudgetedSegments
{
    /// <exception cref="BufferBudgetExceededException">The budget has no room; nothing has changed.</exception>
    internal static byte[] Rent(int size, PooledMemoryStreamOptions options)
    {
        BufferPool<byte> pool = options.Pool ?? BufferPool<byte>.Shared;
        int length = pool.LengthOfRent(size);
        BudgetCredit.Take(options.Budget!, length, options.BudgetTimeout);
        try
        {
            // Exactly: a pool at its cap may otherwise hand out a longer array, which was not taken.
            return pool.RentExact(length);
        }
        catch
        {
            BudgetCredit.Return(options.Budget!, length);
            throw;
        }
    }

    /// <exception cref="BufferBudgetExceededException">The budget has no room; nothing has changed.</exception>
    internal static void* Allocate(int size, bool isZeroed, PooledMemoryStreamOptions options)
    {
        BudgetCredit.Take(options.Budget!, size, options.BudgetTimeout);
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

    /// <summary>Returns the bytes of memory that went back to its source, if the stream has a budget.</summary>
    internal static void Return(int size, PooledMemoryStreamOptions options)
    {
        if (options.Budget is { } budget)
        {
            BudgetCredit.Return(budget, size);
        }
    }
}
