namespace Tarn.TestChild;

/// <summary>
/// Allocates until the process's address space is used up, as the first thing that the system ever refuses: nothing was rehearsed, as in a
/// program of a user. Writes what the exception says, and that the heap works afterwards. Arguments: the blocks' size, and the limit of the
/// address space in bytes.
/// </summary>
/// <remarks>
/// What is left of the address space when a block is refused is less than the block. A runtime that finds less than some 64 KiB when it
/// compiles what throws ends the process, whatever the heap does. So the program takes as much as leaves half a block.
/// </remarks>
internal static unsafe class FirstRefusal
{
    private const int MostBlocks = 4_000_000;

    internal static void Run(string[] arguments)
    {
        nuint size = nuint.Parse(arguments[0]);
        nint[] blocks = new nint[MostBlocks];
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan });
        heap.Free(heap.Allocate(size), size);
        LeaveHalf(size, long.Parse(arguments[1]));
        string said = Fill(heap, size, blocks, out int count);
        for (int i = 0; i < count; i++)
        {
            heap.Free((void*)blocks[i], size);
        }

        heap.Trim();
        Console.WriteLine($"said: {said}");
        Console.WriteLine($"in use: {heap.GetStatistics().InUseBlocks}");
    }

    private static void LeaveHalf(nuint size, long limit)
    {
        nuint page = VirtualMemory.Current.OsPageSize;
        nuint used = nuint.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[0]) * page;
        nuint taken = ((nuint)limit - used + size - (size / 2)) % size & ~(page - 1);
        if (taken > 0 && VirtualMemory.Current.Reserve(taken, page) == 0)
        {
            throw new InvalidOperationException($"The system refuses {taken} bytes of address space with {used} of {limit} in use.");
        }
    }

    private static string Fill(NativeHeap heap, nuint size, nint[] blocks, out int count)
    {
        count = 0;
        try
        {
            for (; count < blocks.Length; count++)
            {
                blocks[count] = (nint)heap.Allocate(size);
            }

            return "nothing";
        }
        catch (OutOfMemoryException e)
        {
            return e.Message;
        }
    }
}
