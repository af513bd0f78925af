namespace Tarn.TestChild;

/// <summary>
/// Allocates until the process's address space is used up, as the first thing that the system ever refuses: nothing was rehearsed, as in a
/// program of a user. Writes what the exception says, and that the heap works afterwards. Argument: the blocks' size.
/// </summary>
internal static unsafe class FirstRefusal
{
    private const int MostBlocks = 4_000_000;

    internal static void Run(string[] arguments)
    {
        nuint size = nuint.Parse(arguments[0]);
        nint[] blocks = new nint[MostBlocks];
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan });
        string said = Fill(heap, size, blocks, out int count);
        for (int i = 0; i < count; i++)
        {
            heap.Free((void*)blocks[i], size);
        }

        heap.Trim();
        Console.WriteLine($"said: {said}");
        Console.WriteLine($"in use: {heap.GetStatistics().InUseBlocks}");
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
