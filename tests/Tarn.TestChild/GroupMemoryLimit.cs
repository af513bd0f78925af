using System.Globalization;

namespace Tarn.TestChild;

/// <summary>
/// Rents a sixth of what its control group allows and allocates a twelfth, again and again, in sizes that change. Argument: the group's
/// limit in bytes. Writes the most that a pool and a heap with default options retain, the sum of both, and the limit as the runtime sees
/// it.
/// </summary>
/// <remarks>
/// Arrays stay below the collector's limit of large objects: it keeps regions of those that it does not use, and so may reach its own limit
/// while most of it is free.
/// </remarks>
internal static unsafe class GroupMemoryLimit
{
    private const int Rounds = 40;

    internal static void Run(string[] arguments)
    {
        long limit = long.Parse(arguments[0], CultureInfo.InvariantCulture);
        BufferPool<byte> pool = BufferPool<byte>.Create();
        using NativeHeap heap = new();
        long most = 0;
        for (int round = 0; round < Rounds; round++)
        {
            List<byte[]> arrays = [];
            List<nint> blocks = [];
            int size = 1000 << (round % 12);
            int length = 2000 << (round % 6);
            int count = (int)(limit / 12 / size);
            for (int i = 0; i < (int)(limit / 6 / length); i++)
            {
                arrays.Add(pool.Rent(length));
                arrays[^1].AsSpan().Fill(1);
            }

            for (int i = 0; i < count; i++)
            {
                blocks.Add((nint)heap.Allocate((nuint)size));
                new Span<byte>((void*)blocks[^1], size).Fill(2);
            }

            arrays.ForEach(array => pool.Return(array));
            blocks.ForEach(block => heap.Free((void*)block, (nuint)size));
            most = Math.Max(most, pool.GetStatistics().RetainedBytes + heap.GetStatistics().RetainedBytes);
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{most} {GC.GetGCMemoryInfo().TotalAvailableMemoryBytes}"));
    }
}
