namespace Tarn.TestChild;

/// <summary>
/// Allocates until the process's address space is used up, frees, and allocates again, several times and in several sizes.
/// </summary>
/// <remarks>
/// A runtime that has to compile a method, load an assembly or start a thread while there is no address space ends the process. So all of
/// it is rehearsed first, on a heap that reaches a limit of its own.
/// </remarks>
internal static unsafe class AddressSpaceLimit
{
    private const int MostBlocks = 4_000_000;
    private const long RehearsedBytes = 150 << 20;

    private static readonly nuint[] s_sizes = [1 << 20, 20_000, 1000, 300_000];

    /// <summary>Writes, for each size, how many bytes there were to be had in each round.</summary>
    internal static void Run(string[] arguments)
    {
        _ = arguments;
        nint[] blocks = new nint[MostBlocks];
        using ManualResetEventSlim started = new();
        ThreadPool.QueueUserWorkItem(_ => started.Set());
        started.Wait();
        using (NativeHeap rehearsed = Create(new LimitedMemory(RehearsedBytes)))
        {
            FillAll(rehearsed, blocks, TextWriter.Null);
        }

        using NativeHeap heap = Create(memory: null);
        FillAll(heap, blocks, Console.Out);
    }

    /// <summary>Without an idle timeout: this is not about the clock, whose ticks may need a new thread.</summary>
    private static NativeHeap Create(VirtualMemory? memory) => new(new NativeHeapOptions
    {
        Checks = BufferChecks.None,
        IdleTimeout = Timeout.InfiniteTimeSpan,
        Memory = memory,
    });

    private static void FillAll(NativeHeap heap, nint[] blocks, TextWriter output)
    {
        foreach (nuint size in s_sizes)
        {
            long first = Fill(heap, size, blocks);
            long second = Fill(heap, size, blocks);
            heap.Trim();
            long third = Fill(heap, size, blocks);
            heap.Trim();
            output.WriteLine($"{size} {first} {second} {third} {heap.GetStatistics().InUseBlocks}");
        }
    }

    /// <summary>Returns the bytes that could be allocated. All are freed again after a check of their contents.</summary>
    private static long Fill(NativeHeap heap, nuint size, nint[] blocks)
    {
        int count = 0;
        bool ended = false;
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
            ended = true;
        }

        for (int i = 0; i < count; i++)
        {
            if (*(int*)blocks[i] != i || ((byte*)blocks[i])[size - 1] != 77)
            {
                return -i;
            }

            heap.Free((void*)blocks[i], size);
        }

        return ended ? count * (long)size : 0;
    }
}
