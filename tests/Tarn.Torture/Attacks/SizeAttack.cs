using System.Globalization;
using Tarn.SharedMemory;
using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Arrays, blocks, buffers, streams and regions of 2 and 5 GiB, with bytes of their own at both ends and around every multiple of 1 GiB.
/// The bytes between stay untouched where the system then needs no memory for them.
/// </summary>
internal sealed unsafe class SizeAttack : IAttack
{
    private const long Gibibyte = 1L << 30;

    /// <summary>Bytes that are looked at, on both sides of a place.</summary>
    private const int Around = 5000;

    private static readonly long[] s_sizes = [2 * Gibibyte, 5 * Gibibyte];

    /// <summary>What a process keeps under caps that the user set, whatever they are: half of its memory limit.</summary>
    private static long MostKept => GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2;

    /// <inheritdoc/>
    public string Name => "sizes";

    /// <inheritdoc/>
    public string Description => "arrays, blocks, buffers, streams and regions of 2 and 5 GiB";

    /// <inheritdoc/>
    public bool IsContinuous => true;

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            foreach (long size in s_sizes)
            {
                string gigabytes = $"{size / Gibibyte} GiB";
                TryAt(context, $"arrays of {gigabytes}", () => RentArray(size));
                TryAt(context, $"native blocks of {gigabytes}", () => AllocateBlock(size));
                TryAt(context, $"native buffers of {gigabytes}", () => RentBuffer(size));
                TryAt(context, $"native streams of {gigabytes}", () => WriteStream(size));
                if (FindReasonAgainstRegion(context, size) is { } reason)
                {
                    context.Skip($"regions of {gigabytes}: {reason}");
                }
                else
                {
                    TryAt(context, $"regions of {gigabytes}", () => CreateRegion(size, context.Random));
                }
            }
        }
        while (!context.IsOver);
    }

    private static void TryAt(AttackContext context, string what, Action attack)
    {
        try
        {
            attack();
            context.Count(what);
        }
        catch (OutOfMemoryException e)
        {
            context.Skip($"{what}: {e.Message}");
        }
    }

    /// <summary>Every byte of a region takes memory of the system, so there must be plenty.</summary>
    private static string? FindReasonAgainstRegion(AttackContext context, long size)
    {
        if (context.IsBrief)
        {
            return "there is no time to fill them";
        }

        if (!OperatingSystem.IsLinux())
        {
            return "they would be files on a disk";
        }

        long free = new DriveInfo(NamedMemory.Current.Directory).AvailableFreeSpace;
        string line = File.ReadLines("/proc/meminfo").First(static line => line.StartsWith("MemAvailable:", StringComparison.Ordinal));
        long available = 1024 * long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
        return free > size + Gibibyte && available > 3 * size
            ? null
            : $"{free} bytes are free in {NamedMemory.Current.Directory}, and {available} of memory";
    }

    /// <summary>
    /// On a clock of its own: there memory is never scarce, however little other programs leave, and no other pool draws on the budget.
    /// </summary>
    private static void RentArray(long size)
    {
        BufferPool<long> pool = BufferPool<long>.Create(new BufferPoolOptions
        {
            Name = "torture",
            Checks = BufferChecks.None,
            MaxRetainedBytes = 8 * s_sizes[^1],
            Clock = new ManualClock().Trim,
        });
        int length = (int)(size / sizeof(long));
        long[] array = pool.Rent(length);
        Require.That(array.Length >= length, $"An array of {array.Length} was rented for {length}.");
        fixed (long* first = array)
        {
            Stamp((byte*)first, size, 1);
        }

        pool.Return(array);
        long bytes = (long)array.Length * sizeof(long);
        long kept = bytes <= MostKept ? bytes : 0;
        Require.Equal((0, kept), (pool.GetStatistics().InUseBytes, pool.GetStatistics().RetainedBytes),
            "Bytes in use and retained when a large array is returned");
        long[] again = pool.Rent(length);
        fixed (long* first = again)
        {
            VerifyStamp((byte*)first, size, 1);
        }

        Require.That(kept == 0 || ReferenceEquals(array, again), $"A kept array of {bytes} bytes was not handed out again.");
        pool.Return(again);
        pool.Trim();
        Require.Equal(0, pool.GetStatistics().RetainedBytes, "Bytes retained after a trim");
    }

    private static void AllocateBlock(long size)
    {
        using NativeHeap heap = CreateHeap();
        byte* block = (byte*)heap.AllocateZeroed((nuint)size);
        VerifyZero(block, size);
        Stamp(block, size, 2);
        long larger = size + Gibibyte + 12_345;
        byte* moved = (byte*)heap.Reallocate(block, (nuint)size, (nuint)larger);
        VerifyStamp(moved, size, 2);
        Stamp(moved, larger, 3);
        Require.Equal(1, heap.GetStatistics().InUseBlocks, "Blocks in use");
        byte* smaller = (byte*)heap.Reallocate(moved, (nuint)larger, 100);
        Require.That(StampPattern.Matches(new ReadOnlySpan<byte>(smaller, 100), 3, 0), "A block that shrank holds other bytes.");
        heap.Free(smaller, 100);
        VerifyEmpty(heap);
    }

    private static void RentBuffer(long size)
    {
        using NativeHeap heap = CreateHeap();
        using (NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(size))
        {
            Stamp(buffer.Pointer, size, 4);
            Require.Equal(size, buffer.AsReadOnlySequence().Length, "The length of a buffer's sequence");
            using Stream stream = buffer.AsStream();
            byte[] bytes = new byte[2 * Around];
            foreach (long place in PlacesIn(size))
            {
                Require.That(
                    StampPattern.Matches(buffer.GetSpan(place, 2 * Around), 4, place), $"A span at {place} shows other bytes.");
                stream.Position = place;
                stream.ReadExactly(bytes);
                Require.That(StampPattern.Matches(bytes, 4, place), $"A stream at {place} shows other bytes.");
            }
        }

        VerifyEmpty(heap);
    }

    private static void WriteStream(long size)
    {
        using NativeHeap heap = CreateHeap();
        using (PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Heap = heap }))
        {
            stream.SetLength(size);
            byte[] bytes = new byte[2 * Around];
            foreach (long place in PlacesIn(size))
            {
                stream.Position = place;
                stream.ReadExactly(bytes);
                Require.That(!bytes.AsSpan().ContainsAnyExcept((byte)0), $"At {place} of {size} a stream is not zero.");
                StampPattern.Fill(bytes, 5, place);
                stream.Position = place;
                stream.Write(bytes);
            }

            foreach (long place in PlacesIn(size))
            {
                stream.Position = place;
                stream.ReadExactly(bytes);
                Require.That(StampPattern.Matches(bytes, 5, place), $"At {place} of {size} a stream holds other bytes.");
            }

            Require.Equal(size, stream.Length, "A stream's length");
        }

        VerifyEmpty(heap);
    }

    private static void CreateRegion(long size, Random random)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"torture-{Environment.ProcessId}-{random.Next()}");
        using SharedRegion region = SharedRegion.Create(name, size);
        using SharedRegion other = SharedRegion.Open(name);
        VerifyZero(region.Pointer, size);
        Stamp(region.Pointer, size, 6);
        VerifyStamp(other.Pointer, size, 6);
        Require.Equal(size, other.Size, "A region's size");
    }

    private static NativeHeap CreateHeap() => new(new NativeHeapOptions { Name = "torture", Checks = BufferChecks.None });

    private static void VerifyEmpty(NativeHeap heap) => Require.Settles(() =>
    {
        Require.Equal((0, 0), (heap.GetStatistics().InUseBytes, heap.GetStatistics().InUseBlocks), "Bytes and blocks in use");
        heap.Validate();
        heap.Trim();
        Require.Equal(0, heap.GetStatistics().RetainedBytes, "Bytes retained after a trim");
    });

    /// <summary>Where some bytes are looked at: both ends, and around the multiples of 1 GiB.</summary>
    private static IEnumerable<long> PlacesIn(long size)
    {
        yield return 0;
        for (long place = Gibibyte; place < size; place += Gibibyte)
        {
            yield return place - Around;
        }

        yield return size - (2 * Around);
    }

    private static void Stamp(byte* memory, long size, long stamp)
    {
        foreach (long place in PlacesIn(size))
        {
            StampPattern.Fill(new Span<byte>(memory + place, 2 * Around), stamp, place);
        }
    }

    private static void VerifyStamp(byte* memory, long size, long stamp)
    {
        foreach (long place in PlacesIn(size))
        {
            Require.That(
                StampPattern.Matches(new ReadOnlySpan<byte>(memory + place, 2 * Around), stamp, place),
                $"At {place} of {size} there are other bytes than were written.");
        }
    }

    private static void VerifyZero(byte* memory, long size)
    {
        foreach (long place in PlacesIn(size))
        {
            Require.That(
                !new ReadOnlySpan<byte>(memory + place, 2 * Around).ContainsAnyExcept((byte)0), $"At {place} of {size} it is not zero.");
        }
    }
}
