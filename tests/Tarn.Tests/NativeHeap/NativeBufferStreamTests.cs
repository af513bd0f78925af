#pragma warning disable CA1835 // the overloads over arrays are tested as well

namespace Tarn.Tests.NativeHeaps;

public sealed class NativeBufferStreamTests : IDisposable
{
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });

    /// <summary>Calls with an argument or a state that a stream refuses, or just does not.</summary>
    private static readonly Dictionary<string, Action<Stream>> s_calls = new()
    {
        ["Read null"] = static stream => stream.ReadExactly(null!, 0, 0),
        ["Read(null)"] = static stream => _ = stream.Read(null!, 0, 0),
        ["Read negative offset"] = static stream => _ = stream.Read(new byte[1], -1, 0),
        ["Read negative count"] = static stream => _ = stream.Read(new byte[1], 0, -1),
        ["Read too much"] = static stream => _ = stream.Read(new byte[1], 1, 1),
        ["Read"] = static stream => _ = stream.Read(new byte[1], 0, 1),
        ["Read span"] = static stream => _ = stream.Read(new byte[1].AsSpan()),
        ["ReadByte"] = static stream => stream.ReadByte(),
        ["ReadAsync null"] = static stream => stream.ReadAsync(null!, 0, 0).Wait(),
        ["ReadAsync negative count"] = static stream => stream.ReadAsync(new byte[1], 0, -1).Wait(),
        ["ReadAsync"] = static stream => stream.ReadAsync(new byte[1], 0, 1).Wait(),
        ["ReadAsync memory"] = static stream => stream.ReadAsync(new byte[1].AsMemory()).AsTask().Wait(),
        ["ReadAsync cancelled"] = static stream => stream.ReadAsync(new byte[1], 0, 1, new CancellationToken(true)).Wait(),
        ["ReadAsync memory cancelled"] = static stream =>
            stream.ReadAsync(new byte[1].AsMemory(), new CancellationToken(true)).AsTask().Wait(),
        ["Write null"] = static stream => stream.Write(null!, 0, 0),
        ["Write negative offset"] = static stream => stream.Write(new byte[1], -1, 0),
        ["Write negative count"] = static stream => stream.Write(new byte[1], 0, -1),
        ["Write too much"] = static stream => stream.Write(new byte[1], 0, 2),
        ["Write past the end"] = static stream => stream.Write(new byte[101], 0, 101),
        ["Write span past the end"] = static stream => stream.Write(new byte[101].AsSpan()),
        ["Write"] = static stream => stream.Write(new byte[1], 0, 1),
        ["WriteByte"] = static stream => stream.WriteByte(1),
        ["WriteByte at the end"] = static stream => At(stream, 100).WriteByte(1),
        ["Write nothing at the end"] = static stream => At(stream, 100).Write([]),
        ["Write nothing behind the end"] = static stream => At(stream, 101).Write([]),
        ["Read behind the end"] = static stream => Assert.Equal(0, At(stream, 1000).Read(new byte[5])),
        ["WriteAsync null"] = static stream => stream.WriteAsync(null!, 0, 0).Wait(),
        ["WriteAsync past the end"] = static stream => stream.WriteAsync(new byte[101], 0, 101).Wait(),
        ["WriteAsync memory past the end"] = static stream => stream.WriteAsync(new byte[101]).AsTask().Wait(),
        ["WriteAsync cancelled"] = static stream => stream.WriteAsync(new byte[1], 0, 1, new CancellationToken(true)).Wait(),
        ["WriteAsync memory cancelled"] = static stream => stream.WriteAsync(new byte[1], new CancellationToken(true)).AsTask().Wait(),
        ["Position negative"] = static stream => stream.Position = -1,
        ["Position"] = static stream => stream.Position = 5,
        ["Position read"] = static stream => _ = stream.Position,
        ["Length"] = static stream => Assert.Equal(100, stream.Length),
        ["SetLength negative"] = static stream => stream.SetLength(-1),
        ["Seek before the beginning"] = static stream => stream.Seek(-1, SeekOrigin.Begin),
        ["Seek before the beginning from here"] = static stream => stream.Seek(-1, SeekOrigin.Current),
        ["Seek before the beginning from the end"] = static stream => stream.Seek(-101, SeekOrigin.End),
        ["Seek too far"] = static stream => stream.Seek(long.MaxValue, SeekOrigin.End),
        ["Seek"] = static stream => Assert.Equal(90, stream.Seek(-10, SeekOrigin.End)),
        ["CopyTo null"] = static stream => stream.CopyTo(null!),
        ["CopyTo no buffer"] = static stream => stream.CopyTo(new MemoryStream(), 0),
        ["CopyTo closed"] = static stream => stream.CopyTo(Closed()),
        ["CopyTo read-only"] = static stream => stream.CopyTo(new MemoryStream([], writable: false)),
        ["CopyTo"] = static stream => stream.CopyTo(new MemoryStream()),
        ["CopyToAsync null"] = static stream => stream.CopyToAsync(null!).Wait(),
        ["CopyToAsync no buffer"] = static stream => stream.CopyToAsync(new MemoryStream(), 0).Wait(),
        ["CopyToAsync"] = static stream => stream.CopyToAsync(new MemoryStream()).Wait(),
        ["CopyToAsync cancelled"] = static stream => stream.CopyToAsync(new MemoryStream(), new CancellationToken(true)).Wait(),
        ["Flush"] = static stream => stream.Flush(),
        ["FlushAsync"] = static stream => stream.FlushAsync().Wait(),
        ["FlushAsync cancelled"] = static stream => stream.FlushAsync(new CancellationToken(true)).Wait(),
        ["BeginRead"] = static stream => stream.EndRead(stream.BeginRead(new byte[1], 0, 1, null, null)),
        ["Can"] = static stream =>
            Assert.Equal((stream.CanWrite, stream.CanWrite, false), (stream.CanRead, stream.CanSeek, stream.CanTimeout)),
        ["Dispose"] = static stream => stream.Dispose(),
    };

    public static TheoryData<string> Calls => [.. s_calls.Keys];

    public void Dispose() => _heap.Dispose();

    [Theory]
    [MemberData(nameof(Calls))]
    public void It_refuses_the_same_calls_as_a_memory_stream_in_the_same_way(string call)
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100, new() { Zeroed = true });
        using Stream ours = buffer.AsStream();
        using MemoryStream theirs = new(new byte[100]);
        Assert.Equal(Outcome(theirs, call), Outcome(ours, call));
        Assert.Equal(theirs.CanRead ? theirs.Position : -1, ours.CanRead ? ours.Position : -1);
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public void Closed_it_refuses_the_same_calls_as_a_closed_memory_stream_in_the_same_way(string call)
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100, new() { Zeroed = true });
        Stream ours = buffer.AsStream();
        MemoryStream theirs = new(new byte[100]);
        ours.Dispose();
        theirs.Dispose();
        Assert.Equal(Outcome(theirs, call), Outcome(ours, call));
    }

    [Fact]
    public void Closing_it_leaves_the_buffer_alone()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        using (Stream stream = buffer.AsStream())
        {
            stream.WriteByte(7);
        }

        Assert.Equal(7, buffer.GetSpan()[0]);
        Assert.Equal(1, _heap.GetStatistics().InUseBlocks);
        Assert.Equal(7, buffer.AsStream().ReadByte());
    }

    [Fact]
    public void No_other_length_can_be_set()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        Stream stream = buffer.AsStream();
        Assert.Throws<NotSupportedException>(() => stream.SetLength(99));
        Assert.Throws<NotSupportedException>(() => stream.SetLength(101));
        stream.SetLength(100);
        Assert.Equal(100, stream.Length);

        // Where a memory stream says that it cannot be written to, this one says why.
        stream.Dispose();
        Assert.Throws<ObjectDisposedException>(() => stream.SetLength(100));
    }

    [Fact]
    public void A_seek_from_nowhere_is_refused_by_name()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        using Stream stream = buffer.AsStream();
        Assert.Equal("origin", Assert.Throws<ArgumentException>(() => stream.Seek(0, (SeekOrigin)3)).ParamName);
        Assert.Throws<ArgumentException>(() => new MemoryStream().Seek(0, (SeekOrigin)3));
    }

    [Fact]
    public void Streams_over_one_buffer_have_positions_of_their_own()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        using Stream first = buffer.AsStream();
        using Stream second = buffer.AsStream();
        first.Write([1, 2, 3]);
        Assert.Equal((3, 0), (first.Position, second.Position));
        Assert.Equal(1, second.ReadByte());
    }

    [Fact]
    public void Reading_and_writing_is_done_when_the_call_returns_and_allocates_nothing()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100_000);
        using Stream stream = buffer.AsStream();
        byte[] bytes = new byte[100];
        int count = UseAll(stream, bytes);
        Assert.Equal(802, count);

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            count += UseAll(stream, bytes);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.Equal(101 * 802, count);
    }

    /// <summary>Counts the bytes moved by calls that were done when they returned.</summary>
    private static int UseAll(Stream stream, byte[] bytes)
    {
        stream.Position = 0;
        stream.Write(bytes, 0, bytes.Length);
        stream.Write(bytes.AsSpan());
        stream.WriteByte(1);
        bool isWritten = IsDone(stream.WriteAsync(bytes)) && stream.WriteAsync(bytes, 0, bytes.Length, default).IsCompletedSuccessfully;
        int done = isWritten ? (int)stream.Position : 0;

        stream.Position = 0;
        done += stream.Read(bytes, 0, bytes.Length) + stream.Read(bytes.AsSpan()) + Math.Sign(stream.ReadByte() + 1);
        return done + ResultOf(stream.ReadAsync(bytes)) + ResultOf(new ValueTask<int>(stream.ReadAsync(bytes, 0, bytes.Length, default)));
    }

    private static bool IsDone(ValueTask write) => write.IsCompletedSuccessfully;

    private static int ResultOf(ValueTask<int> read) => read.IsCompletedSuccessfully ? read.Result : 0;

    [Fact]
    public void A_copy_writes_the_whole_rest_at_once_and_keeps_the_block_until_it_is_done()
    {
        NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100_000);
        new Random(1).NextBytes(buffer.GetSpan());
        byte[] expected = buffer.GetSpan(10, 99_990).ToArray();
        Stream stream = buffer.AsStream();
        stream.Position = 10;

        using DisposingDestination destination = new(buffer, () => _heap.GetStatistics().InUseBlocks);
        Assert.Throws<ObjectDisposedException>(() => stream.CopyTo(destination));

        Assert.Equal((expected.Length, 1L), (destination.Written, destination.BlocksWhileWriting));
        Assert.Equal(0, _heap.GetStatistics().InUseBlocks);
    }

    private static string Outcome(Stream stream, string call)
    {
        try
        {
            s_calls[call](stream);
            return "done";
        }
        catch (AggregateException e)
        {
            // The task failed, not the call.
            return $"task of {Describe(e.InnerException!)}";
        }
        catch (Exception e) when (e is not Xunit.Sdk.XunitException)
        {
            return Describe(e);
        }
    }

    private static string Describe(Exception e) => $"{e.GetType().Name} {(e as ArgumentException)?.ParamName}";

    private static Stream At(Stream stream, long position)
    {
        stream.Position = position;
        return stream;
    }

    private static MemoryStream Closed()
    {
        MemoryStream stream = new();
        stream.Dispose();
        return stream;
    }

    /// <summary>Disposes the buffer that it is being written from.</summary>
    private sealed class DisposingDestination(NativeBuffer<byte> buffer, Func<long> countBlocks) : MemoryStream
    {
        internal int Written { get; private set; }

        internal long BlocksWhileWriting { get; private set; }

        public override void Write(ReadOnlySpan<byte> source)
        {
            buffer.Dispose();
            BlocksWhileWriting = countBlocks();
            Written = source.Length;
        }
    }
}
