using System.Globalization;

namespace Tarn.TestChild;

/// <summary>
/// Rents and returns 30 arrays of each size up to 1 MiB, in pools of 14 element types one after the other, then does the same with streams
/// and native heaps. For a process with a hard limit on the heap. Writes the most that all pools and heaps retained, and the limit as the
/// runtime sees it.
/// </summary>
/// <remarks>
/// Arguments: <c>shared</c> for the shared pools, or the cap of pools of its own, which may allow each to keep all there is; and the bytes
/// that the program uses beside them.
/// </remarks>
internal static unsafe class ManyElementTypes
{
    private const int ArraysOfSize = 30;
    private const int LargestBytes = 1 << 20;

    private static readonly List<Func<long>> s_retained = [];
    private static readonly List<object> s_pools = [];

    private static byte[][] s_used = [];
    private static long s_most;

    internal static void Run(string[] arguments)
    {
        long? cap = arguments[0] == "shared" ? null : long.Parse(arguments[0], CultureInfo.InvariantCulture);
        int used = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        s_used = [.. Enumerable.Range(0, used >> 16).Select(static _ => new byte[1 << 16])];
        Use<byte>(cap);
        Use<sbyte>(cap);
        Use<bool>(cap);
        Use<short>(cap);
        Use<ushort>(cap);
        Use<char>(cap);
        Use<int>(cap);
        Use<uint>(cap);
        Use<long>(cap);
        Use<ulong>(cap);
        Use<float>(cap);
        Use<double>(cap);
        Use<Guid>(cap);
        Use<decimal>(cap);
        UseStreams();
        UseHeaps();
        GC.KeepAlive(s_used);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{s_most} {GC.GetGCMemoryInfo().TotalAvailableMemoryBytes}"));
    }

    private static void Use<T>(long? cap)
        where T : unmanaged
    {
        T[][] rented = [];
        BufferPool<T> pool = null!;
        DoOwn(() =>
        {
            pool = cap is null
                ? BufferPool<T>.Shared
                : BufferPool<T>.Create(new BufferPoolOptions { MaxRetainedBytes = cap, IdleTimeout = Timeout.InfiniteTimeSpan });
            rented = new T[ArraysOfSize][];
            s_pools.Add(pool);
            s_retained.Add(() => pool.GetStatistics().RetainedBytes);
        });
        for (int bytes = 16; bytes <= LargestBytes; bytes += Math.Max(16, bytes / 4))
        {
            for (int i = 0; i < rented.Length; i++)
            {
                rented[i] = pool.Rent(Math.Max(1, bytes / sizeof(T)));
                rented[i].AsSpan().Clear();
            }

            Array.ForEach(rented, array => pool.Return(array));
            Array.Clear(rented);
            DoOwn(Look);
        }
    }

    /// <summary>
    /// Runs code that allocates for itself. Where idle buffers leave no memory for that, it gives them up, as a program does. The test is
    /// about what the library's calls throw.
    /// </summary>
    private static void DoOwn(Action action)
    {
        try
        {
            action();
        }
        catch (OutOfMemoryException)
        {
            TrimClock.Shared.Relief.TryGiveUpAll(1);
            action();
        }
    }

    private static void UseStreams()
    {
        byte[] bytes = new byte[1 << 16];
        for (int round = 0; round < 4; round++)
        {
            PooledMemoryStream[] streams = [.. Enumerable.Range(0, 8).Select(static _ => new PooledMemoryStream())];
            for (int i = 0; i < 64; i++)
            {
                Array.ForEach(streams, stream => stream.Write(bytes));
            }

            Array.ForEach(streams, static stream => _ = stream.ToArray());
            Array.ForEach(streams, static stream => stream.Dispose());
            Look();
        }
    }

    private static void UseHeaps()
    {
        for (int round = 0; round < 4; round++)
        {
            NativeHeap heap = new(new NativeHeapOptions { IdleTimeout = Timeout.InfiniteTimeSpan });
            s_pools.Add(heap);
            s_retained.Add(() => heap.GetStatistics().RetainedBytes);
            for (int bytes = 16; bytes <= LargestBytes; bytes *= 2)
            {
                nint[] blocks = [.. Enumerable.Range(0, ArraysOfSize).Select(_ => (nint)heap.Allocate((nuint)bytes))];
                foreach (nint block in blocks)
                {
                    new Span<byte>((void*)block, bytes).Clear();
                    heap.Free((void*)block, (nuint)bytes);
                }
            }

            Look();
        }
    }

    private static void Look() => s_most = Math.Max(s_most, s_retained.Sum(static retained => retained()));
}
