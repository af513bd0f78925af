namespace Tarn.TestChild;

/// <summary>Allocates until the process's address space is used up, frees, and allocates again, several times and in several sizes.</summary>
internal static unsafe class AddressSpaceLimit
{
    private const int MostBlocks = 2_000_000;

    /// <summary>Writes, for each size, how many bytes there were to be had in each round.</summary>
    internal static void Run(string[] arguments)
    {
        _ = arguments;
        nint[] blocks = new nint[MostBlocks];
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        foreach (nuint size in (nuint[])[1 << 20, 20_000, 1000, 300_000])
        {
            // What the thrown exception needs is loaded while there is room for it.
            bool threw = false;
            try
            {
                heap.Allocate(nuint.MaxValue);
            }
            catch (OutOfMemoryException)
            {
                threw = true;
            }

            long first = Fill(heap, size, blocks);
            long second = Fill(heap, size, blocks);
            heap.Trim();
            long third = Fill(heap, size, blocks);
            heap.Trim();
            Console.WriteLine($"{size} {threw} {first} {second} {third} {heap.GetStatistics().InUseBlocks}");
        }
    }

    /// <summary>Bytes that could be had; all are freed again, after a look that they are what they were.</summary>
    private static long Fill(NativeHeap heap, nuint size, nint[] blocks)
    {
        int count = 0;
        try
        {
            for (; count < blocks.Length; count++)
            {
                byte* block = (byte*)heap.Allocate(size);
                *(int*)block = count;
                block[size - 1] = 77;
                blocks[count] = (nint)block;
            }
        }
        catch (OutOfMemoryException)
        {
        }

        bool reached = count < blocks.Length;
        for (int i = 0; i < count; i++)
        {
            if (*(int*)blocks[i] != i || ((byte*)blocks[i])[size - 1] != 77)
            {
                return -i;
            }

            heap.Free((void*)blocks[i], size);
        }

        return reached ? count * (long)size : 0;
    }
}
