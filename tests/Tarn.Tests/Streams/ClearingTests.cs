namespace Tarn.Tests.Streams;

/// <summary>The written bytes, and only these, are cleared before their memory goes back.</summary>
public sealed class ClearingTests : IDisposable
{
    private const byte Secret = 0x5A;
    private const byte Old = 0xEE;

    private readonly BufferPool<byte> _pool =
        BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan });

    /// <summary>Every array that a stream had.</summary>
    private readonly HashSet<byte[]> _rented = [];

    private static readonly Dictionary<string, Action<PooledMemoryStream>> s_uses = new()
    {
        ["written at once"] = static stream => stream.Write(Secrets(50_000)),
        ["written in pieces"] = static stream => Contents.WriteInPieces(stream, Secrets(50_000), 100),
        ["cut"] = static stream => { Contents.WriteInPieces(stream, Secrets(50_000), 100); stream.SetLength(10); },
        ["cut, room given back"] = static stream =>
        {
            Contents.WriteInPieces(stream, Secrets(50_000), 100);
            stream.SetLength(10);
            stream.LongCapacity = 10;
        },
        ["cut, room asked for"] = static stream =>
        {
            stream.Write(Secrets(200));
            stream.SetLength(10);
            stream.GetSpan(8000).Fill(Secret);
            stream.Advance(20);
        },
        ["room half used, more asked for"] = static stream =>
        {
            stream.GetSpan(100).Fill(Secret);
            stream.Advance(10);
            stream.GetSpan(10_000).Fill(Secret);
            stream.Advance(10);
            stream.GetSpan(100_000).Fill(Secret);
        },
        ["room not used"] = static stream => stream.GetSpan(5000).Fill(Secret),
        ["room not used, larger asked for"] = static stream => { stream.GetSpan(500).Fill(Secret); stream.GetSpan(50_000); },
        ["room in the middle"] = static stream =>
        {
            stream.Write(Secrets(5000));
            stream.Position = 10;
            stream.GetSpan(3000).Fill(Secret);
            stream.Advance(2000);
            stream.GetSpan(6000).Fill(Secret);
        },
        ["array shown"] = static stream => { stream.Write(Secrets(10)); stream.GetBuffer().AsSpan().Fill(Secret); },
        ["joined"] = static stream =>
        {
            Contents.WriteInPieces(stream, Secrets(50_000), 100);
            stream.GetBuffer().AsSpan().Fill(Secret);
            stream.SetLength(5);
        },
        ["joined and grown"] = static stream =>
        {
            Contents.WriteInPieces(stream, Secrets(50_000), 100);
            stream.GetBuffer().AsSpan().Fill(Secret);
            stream.Write(Secrets(100_000));
        },
        ["copied on"] = static stream => { Contents.WriteInPieces(stream, Secrets(50_000), 100); stream.WriteTo(new MemoryStream()); },
        ["detached"] = static stream =>
        {
            Contents.WriteInPieces(stream, Secrets(50_000), 100);
            stream.GetSpan(9000).Fill(Secret);
            stream.Detach().Dispose();
        },
        ["detached when cut"] = static stream =>
        {
            Contents.WriteInPieces(stream, Secrets(50_000), 100);
            stream.SetLength(0);
            stream.Detach().Dispose();
        },
        ["from another stream"] = static stream => stream.CopyFromAsync(new TricklingStream(Secrets(50_000), 900)).AsTask().Wait(),
        ["its own contents"] = static stream =>
        {
            Contents.WriteInPieces(stream, Secrets(50_000), 100);
            stream.Position = 3;
            stream.Write(stream.GetReadOnlySequence());
        },
        ["refused"] = static stream =>
        {
            stream.Write(Secrets(200));
            stream.SetLength(20);
            Assert.Throws<IOException>(() => stream.SetLength(1 << 30));
            stream.GetSpan(2 << 20).Fill(Secret);
            Assert.Throws<IOException>(() => stream.Advance(2 << 20));
        },
    };

    public static TheoryData<string, StreamClearing> Uses
    {
        get
        {
            TheoryData<string, StreamClearing> uses = [];
            foreach (string use in s_uses.Keys)
            {
                uses.Add(use, StreamClearing.OnReturn);
                uses.Add(use, StreamClearing.Background);
            }

            return uses;
        }
    }

    private PooledMemoryStreamOptions Options => new() { Pool = _pool, MaxCapacity = 1 << 20, BeforeRent = Soil };

    public void Dispose() => OwnMemory.WaitForTheBackground();

    [Theory]
    [MemberData(nameof(Uses))]
    public void Nothing_that_was_written_is_left(string use, StreamClearing zeroing)
    {
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions(Options) { Clearing = zeroing });
        s_uses[use](stream);
        stream.Dispose();
        OwnMemory.WaitForTheBackground();
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        Assert.NotEmpty(_rented);
        Assert.All(
            _rented,
            static array =>
                Assert.False(array.AsSpan().Contains(Secret), $"An array of {array.Length} bytes still holds the written bytes."));
    }

    [Fact]
    public void Without_clearing_it_is_left()
    {
        using (PooledMemoryStream stream = new(Options))
        {
            stream.Write(Secrets(5000));
        }

        Assert.Contains(_rented, static array => array.AsSpan().Contains(Secret));
    }

    [Theory]
    [InlineData(StreamClearing.OnReturn)]
    [InlineData(StreamClearing.Background)]
    public void Only_written_bytes_are_cleared(StreamClearing zeroing)
    {
        using (PooledMemoryStream stream = new(new PooledMemoryStreamOptions(Options) { Clearing = zeroing }, capacity: 100_000))
        {
            stream.Write(Secrets(3000));
            stream.SetLength(2000);
        }

        OwnMemory.WaitForTheBackground();
        byte[] array = Assert.Single(_rented);
        Assert.Equal(3000, array.AsSpan().IndexOfAnyExcept((byte)0));
        Assert.False(array.AsSpan(3000).ContainsAnyExcept(Old));
    }

    [Fact]
    public void Native_memory_is_cleared_as_well()
    {
        using OwnMemory memory = new();
        using (PooledMemoryStream stream = new(new PooledMemoryStreamOptions(memory.InHeap) { Clearing = StreamClearing.OnReturn }))
        {
            stream.Write(Secrets(1000));
            stream.SetLength(10);
            stream.GetSpan(5000).Fill(Secret);
        }

        for (int size = 256; size <= 8192; size += 64)
        {
            using NativeBuffer<byte> block = memory.Heap.AllocateBuffer<byte>(size);
            Assert.False(block.GetSpan().Contains(Secret));
        }
    }

    [Theory]
    [InlineData(StreamClearing.None)]
    [InlineData(StreamClearing.OnReturn)]
    [InlineData(StreamClearing.Background)]
    public void A_heap_disposed_before_the_stream_takes_its_memory_along(StreamClearing zeroing)
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Heap = heap, Clearing = zeroing });
        Contents.WriteInPieces(stream, Secrets(50_000), 100);
        heap.Dispose();
        stream.Dispose();
        Assert.False(stream.CanRead);
    }

    /// <summary>Room in the middle is an array, whatever the stream's own memory is.</summary>
    [Theory]
    [InlineData(StreamClearing.OnReturn)]
    [InlineData(StreamClearing.Background)]
    public void Room_in_the_middle_is_cleared_also_when_the_heap_was_disposed_first(StreamClearing zeroing)
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Heap = heap, Clearing = zeroing });
        stream.Write(Secrets(1000));
        stream.Position = 10;
        Memory<byte> room = stream.GetMemory(3000);
        room.Span.Fill(Secret);
        heap.Dispose();
        stream.Dispose();
        OwnMemory.WaitForTheBackground();
        Assert.False(room.Span.Contains(Secret));
    }

    private static byte[] Secrets(int count)
    {
        byte[] secrets = new byte[count];
        secrets.AsSpan().Fill(Secret);
        return secrets;
    }

    /// <summary>A stream is about to rent: it gets this array, which the pool hands out next, without a trace of its own in it.</summary>
    private void Soil(int size)
    {
        byte[] array = _pool.Rent(size);
        Assert.False(array.AsSpan().Contains(Secret) && _rented.Contains(array), $"An array of {array.Length} bytes came back uncleared.");
        array.AsSpan().Fill(Old);
        _rented.Add(array);
        _pool.Return(array);
    }
}
