using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>A program with known pools, heaps, incidents and a budget, for tools that ask it. It ends with its standard input.</summary>
internal static unsafe class ProfiledProgram
{
    private const int Size = 4_096;

    /// <summary>Arguments: the buffers it keeps of each, and "sampled" to sample from the start.</summary>
    public static void Run(string[] arguments)
    {
        int count = int.Parse(arguments[0], System.Globalization.CultureInfo.InvariantCulture);
        if (arguments is [_, "sampled", ..])
        {
            // The same gaps each time, and as many samples as there are: a limited rate makes the estimate vary.
            BufferSampling.Start(new SamplingOptions(Interval: 4_096, Seed: 17, IsLimited: false));
        }

        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "kept arrays", Checks = BufferChecks.None });
        using NativeHeap heap = new(new NativeHeapOptions { Name = "kept blocks", Checks = BufferChecks.None });
        BufferPool<byte> misused = BufferPool<byte>.Create(new BufferPoolOptions { Name = "misused", Checks = BufferChecks.Returns });
        BufferBudget budget = new(1_000, "kept budget");
        budget.Take(900);
        Task waiting = budget.TakeAsync(200).AsTask();
        List<byte[]> arrays = [];
        List<nint> blocks = [];
        KeepArrays(pool, arrays, count);
        KeepBlocks(heap, blocks, count);
        ReturnTwice(misused);
        Console.WriteLine("ready");
        while (Console.ReadLine() is not null)
        {
            // Each line keeps as many again.
            KeepArrays(pool, arrays, count);
            KeepBlocks(heap, blocks, count);
            Console.WriteLine("kept");
        }

        budget.Return(900);
        waiting.Wait();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void KeepArrays(BufferPool<byte> pool, List<byte[]> kept, int count)
    {
        for (int i = 0; i < count; i++)
        {
            kept.Add(pool.Rent(Size));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void KeepBlocks(NativeHeap heap, List<nint> kept, int count)
    {
        for (int i = 0; i < count; i++)
        {
            kept.Add((nint)heap.Allocate(Size));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnTwice(BufferPool<byte> pool)
    {
        byte[] buffer = pool.Rent(Size);
        pool.Return(buffer);
        try
        {
            pool.Return(buffer);
        }
        catch (InvalidOperationException)
        {
        }
    }
}
