namespace Tarn.TestChild;

/// <summary>The ways for <see cref="ReturnsWithoutMemory"/>.</summary>
internal static unsafe class WaysToGiveBack
{
    private const int Length = 4096;
    private const int Count = 60;

    private static readonly int[] s_lengths = [16, 100, 1000, 4096, 10_000, 65_536];

    private static readonly nuint[] s_sizes = [4, 16, 100, 1000, 10_000, 60_000, 300_000, 3_000_000];

    private static readonly BufferChecks s_checks = BufferChecks.All & ~BufferChecks.GuardPages;

    private static readonly BufferPoolOptions s_small = new() { MaxRetainedBytes = 200_000 };

    internal static GivingBack[] All =>
    [
        new("deep", () => Returns(new(), [Length])),
        new("deep, small cap", () => Returns(s_small, [Length])),
        new("all sizes", () => Returns(new(), s_lengths)),
        new("all sizes, small cap", () => Returns(s_small, s_lengths)),
        new("all sizes, elsewhere", () => Returns(new(), s_lengths), IsOnOtherThread: true),
        new("all sizes, elsewhere, small cap", () => Returns(s_small, s_lengths), IsOnOtherThread: true),
        new("few of each length", () => Returns(new() { MaxArraysPerLength = 3 }, [Length, 1000])),
        new("parked", () => AfterTick(claims: false)),
        new("parked and claimed", () => AfterTick(claims: true)),
        new("exact lengths", () => Returns(new(), [Length], exact: 1)),
        new("from elsewhere", FromElsewhere),
        new("cleared", () => Returns(new() { Clearing = BufferClearing.OnReturn }, s_lengths)),
        new("checked", () => Returns(new() { Checks = s_checks }, s_lengths)),
        new("checked, elsewhere", () => Returns(new() { Checks = BufferChecks.Returns }, s_lengths), IsOnOtherThread: true),
        new("checked, small cap", () => Returns(new BufferPoolOptions(s_small) { Checks = BufferChecks.UseAfterReturn }, s_lengths)),
        new("listened to", () => Returns(new(), s_lengths), IsListenedTo: true),
        new("listened to, small cap", () => Returns(s_small, s_lengths), IsListenedTo: true),
        new("listened to, checked", () => Returns(new BufferPoolOptions(s_small) { Checks = s_checks }, s_lengths), IsListenedTo: true),
        new("leases that travel", LeasesThatTravel),
        new("streams", () => Streams(static pool => new() { Pool = pool })),
        new("streams, elsewhere", () => Streams(static pool => new() { Pool = pool }), IsOnOtherThread: true),
        new("streams, cleared", () => Streams(static pool => new() { Pool = pool, Clearing = StreamClearing.OnReturn })),
        new("streams, listened to", () => Streams(static pool => new() { Pool = pool }), IsListenedTo: true),
        new("heap", () => Blocks(new())),
        new("heap, elsewhere", () => Blocks(new()), IsOnOtherThread: true),
        new("heap, small cap", () => Blocks(new() { MaxRetainedBytes = 1 << 20 })),
        new("heap, nothing kept", () => Blocks(new() { MaxRetainedBytes = 0 })),
        new("heap, elsewhere, small cap", () => Blocks(new() { MaxRetainedBytes = 1 << 20 }), IsOnOtherThread: true),
        new("heap, cleared", () => Blocks(new() { ClearOnFree = true })),
        new("heap, listened to", () => Blocks(new()), IsListenedTo: true),
        new("native buffers", NativeBuffers),
        new("native streams", NativeStreams),
        new("scopes", Scopes),
    ];

    private static BufferPool<byte> Create(BufferPoolOptions options) => BufferPool<byte>.Create(new BufferPoolOptions(options)
    {
        IdleTimeout = TimeSpan.FromHours(1),
        Clock = StoppedTime.CreateClock(),
    });

    private static (Action[] Calls, Action Verify) Returns(BufferPoolOptions options, int[] lengths, int exact = 0)
    {
        BufferPool<byte> pool = Create(options);
        byte[][] rented = [.. Enumerable.Range(0, Count).Select(i => lengths[i % lengths.Length])
            .Select(length => exact > 0 ? pool.RentExact(length + exact) : pool.Rent(length))];
        return (Array.ConvertAll(rented, array => (Action)(() => pool.Return(array))), () => Verify(pool, lengths, exact));
    }

    /// <summary>A return after a trimmer parked the thread's magazine.</summary>
    private static (Action[] Calls, Action Verify) AfterTick(bool claims)
    {
        BufferPool<byte> pool = Create(new());
        for (int round = 0; round < 8; round++)
        {
            Array.ForEach([.. Enumerable.Range(0, Count).Select(_ => pool.Rent(Length))], array => pool.Return(array));
        }

        byte[][] rented = [.. Enumerable.Range(0, Count / 2).Select(_ => pool.Rent(Length))];
        pool.Core.Trimmer.OnTick(new TrimOccasion(TimeSpan.FromMinutes(1), MemoryIsScarce: false));
        if (claims)
        {
            rented = [.. rented, .. Enumerable.Range(0, 3).Select(_ => pool.Rent(Length))];
            rented = [.. rented, .. Enumerable.Range(0, 20).Select(_ => new byte[Length])];
        }

        return (Array.ConvertAll(rented, array => (Action)(() => pool.Return(array))), () => Verify(pool, [], exact: 0));
    }

    /// <summary>Returns of classes that were never in use.</summary>
    private static (Action[] Calls, Action Verify) FromElsewhere()
    {
        BufferPool<byte> pool = Create(new());
        byte[][] arrays = Array.ConvertAll((int[])[16, 4096, 65_536], static length => new byte[length]);
        return (Array.ConvertAll(arrays, array => (Action)(() => pool.Return(array))), pool.Core.Validate);
    }

    private static (Action[] Calls, Action Verify) LeasesThatTravel()
    {
        BufferPool<byte> pool = Create(new());
        IDisposable[] leases = [.. Enumerable.Range(0, Count).Select(i => pool.LeaseMemory(s_lengths[i % s_lengths.Length]))];
        return (Array.ConvertAll(leases, lease => (Action)lease.Dispose), () => Verify(pool, [], exact: 0));
    }

    private static (Action[] Calls, Action Verify) Streams(Func<BufferPool<byte>, PooledMemoryStreamOptions> options)
    {
        BufferPool<byte> pool = Create(new());
        List<IDisposable> streams = [];
        for (int i = 0; i < Count / 2; i++)
        {
            PooledMemoryStream stream = new(options(pool));
            Write(stream, i);
            streams.Add(i % 3 == 0 ? stream.Detach() : stream);
        }

        return ([.. streams.Select(stream => (Action)stream.Dispose)], () => Verify(pool, [], exact: 0));
    }

    private static void Write(PooledMemoryStream stream, int i)
    {
        stream.Write(new byte[s_lengths[i % s_lengths.Length]]);
        stream.Write(new byte[i * 100]);
    }

    private static NativeHeap CreateHeap(NativeHeapOptions options) => new(new NativeHeapOptions(options)
    {
        IdleTimeout = TimeSpan.FromHours(1),
        Clock = StoppedTime.CreateClock(),
    });

    private static (Action[] Calls, Action Verify) Blocks(NativeHeapOptions options)
    {
        NativeHeap heap = CreateHeap(options);
        List<(nint Block, nuint Size)> blocks = [];
        foreach (nuint size in s_sizes)
        {
            int count = size switch { <= 1000 => 60, <= 60_000 => 8, _ => 2 };
            blocks.AddRange(Enumerable.Range(0, count).Select(_ => ((nint)heap.Allocate(size), size)));
        }

        return ([.. blocks.Select(block => (Action)(() => heap.Free((void*)block.Block, block.Size)))], () => Verify(heap));
    }

    private static (Action[] Calls, Action Verify) NativeBuffers()
    {
        NativeHeap heap = CreateHeap(new());
        IDisposable[] buffers = [.. Enumerable.Range(0, Count * 2).Select(i => heap.AllocateBuffer<byte>((long)s_sizes[i % 6]))];
        return (Array.ConvertAll(buffers, buffer => (Action)buffer.Dispose), () => Verify(heap));
    }

    private static (Action[] Calls, Action Verify) NativeStreams()
    {
        NativeHeap heap = CreateHeap(new());
        PooledMemoryStreamOptions options = new() { Heap = heap };
        PooledMemoryStream[] streams = [.. Enumerable.Range(0, Count).Select(_ => new PooledMemoryStream(options))];
        for (int i = 0; i < streams.Length; i++)
        {
            Write(streams[i], i);
        }

        return (Array.ConvertAll(streams, stream => (Action)stream.Dispose), () => Verify(heap));
    }

    private static (Action[] Calls, Action Verify) Scopes()
    {
        NativeHeap heap = CreateHeap(new());
        NativeScope[] scopes = [.. Enumerable.Range(0, Count).Select(_ => heap.CreateScope())];
        foreach (NativeScope scope in scopes)
        {
            foreach (nuint size in s_sizes[..^1])
            {
                scope.Allocate(size);
            }
        }

        return (Array.ConvertAll(scopes, scope => (Action)scope.Dispose), () => Verify(heap));
    }

    private static void Verify(NativeHeap heap)
    {
        heap.Validate();
        NativeHeapStatistics counted = heap.GetStatistics();
        Require(counted.InUseBytes == 0 && counted.InUseBlocks == 0, $"something counts as in use: {counted}");
        HashSet<nint> again = [.. Enumerable.Range(0, 1000).Select(_ => (nint)heap.Allocate(100))];
        Require(again.Count == 1000, "a block was handed out twice");
        foreach (nint block in again)
        {
            heap.Free((void*)block, 100);
        }

        heap.Validate();
        heap.Trim();
        heap.Validate();
        heap.Dispose();
    }

    /// <summary>Verifies that all buffers came back once, and that the pool hands out and gives up each kept one once.</summary>
    private static void Verify(BufferPool<byte> pool, int[] lengths, int exact)
    {
        pool.Core.Validate();
        BufferPoolStatistics counted = pool.GetStatistics();
        Require(counted.InUseBytes == 0, $"{counted.InUseBytes} bytes count as in use");
        if (lengths is [int length])
        {
            Require(
                counted.Allocated == (counted.RetainedBytes / (length + exact)) + counted.Dropped + counted.Trimmed,
                $"made, kept, dropped and given up are not the same: {counted}");
        }

        HashSet<byte[]> again = [.. Enumerable.Range(0, Count).Select(_ => pool.Rent(Length))];
        Require(again.Count == Count, "a buffer was handed out twice");
        foreach (byte[] array in again)
        {
            pool.Return(array);
        }

        pool.Core.Validate();
        pool.Trim();
        Require(pool.GetStatistics().RetainedBytes == 0, "a trim leaves something");
        Require(pool.Core.Budget.Granted == 0, $"{pool.Core.Budget.Granted} bytes stay granted");
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
        {
            throw new InvalidOperationException(what);
        }
    }
}
