using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn.Tests.NativeHeaps;

public sealed unsafe class NativeBufferTests : IDisposable
{
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });

    public static TheoryData<string> Uses => [.. s_uses.Keys];

    private static readonly Dictionary<string, Action<NativeBuffer<byte>>> s_uses = new()
    {
        ["Length"] = static buffer => _ = buffer.Length,
        ["Span"] = static buffer => _ = buffer.Span,
        ["Pointer"] = static buffer => _ = buffer.Pointer,
        ["Memory"] = static buffer => _ = buffer.Memory,
        ["owner's Memory"] = static buffer => _ = ((IMemoryOwner<byte>)buffer).Memory,
        ["GetSpan"] = static buffer => buffer.GetSpan(),
        ["GetSpan of a part"] = static buffer => buffer.GetSpan(0, 1),
        ["GetMemory"] = static buffer => buffer.GetMemory(0, 1),
        ["AsReadOnlySequence"] = static buffer => buffer.AsReadOnlySequence(),
        ["AsStream"] = static buffer => buffer.AsStream(),
        ["Pin"] = static buffer => buffer.Pin(),
    };

    public void Dispose() => _heap.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(17)]
    [InlineData(5000)]
    [InlineData(3_000_000)]
    public void Every_view_has_the_length_asked_for_and_shows_the_same_bytes(int length)
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(length);
        byte[] expected = new byte[length];
        new Random(length).NextBytes(expected);

        Assert.Equal(length, buffer.Length);
        Assert.True(buffer.Pointer != null);
        expected.CopyTo(new Span<byte>(buffer.Pointer, length));

        Assert.Equal(expected, buffer.GetSpan());
        Assert.Equal(expected, buffer.Memory.Span);
        Assert.Equal(expected, buffer.AsReadOnlySequence().ToArray());
        Assert.Equal(expected.AsSpan(length / 3, length / 2), buffer.GetSpan(length / 3, length / 2));
        Assert.Equal(expected.AsSpan(length / 3), buffer.GetMemory(length / 3, length - (length / 3)).Span);
        using MemoryStream read = new();
        buffer.AsStream().CopyTo(read);
        Assert.Equal(expected, read.ToArray());
        using MemoryHandle pin = buffer.Memory[(length / 2)..].Pin();
        Assert.Equal((nint)(buffer.Pointer + (length / 2)), (nint)pin.Pointer);
    }

    [Fact]
    public void Bytes_written_through_one_view_are_read_through_the_others()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100L);
        buffer.GetSpan()[10] = 1;
        buffer.Memory.Span[11] = 2;
        buffer.GetMemory(12, 1).Span[0] = 3;
        buffer.GetSpan(13, 1)[0] = 4;
        buffer.Pointer[14] = 5;
        using Stream stream = buffer.AsStream();
        stream.Position = 15;
        stream.WriteByte(6);
        Assert.Equal([1, 2, 3, 4, 5, 6], buffer.GetSpan(10, 6).ToArray());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1000)]
    [InlineData(1_000_000)]
    public void Rented_zeroed_it_is_zero_where_something_else_was_written_before(int length)
    {
        for (int round = 0; round < 10; round++)
        {
            using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(length, new() { Zeroed = true });
            Assert.Equal(length, buffer.Length);
            Assert.Equal(-1, buffer.GetSpan().IndexOfAnyExcept((byte)0));
            buffer.GetSpan().Fill(0xFF);
        }
    }

    [Fact]
    public void Lengths_that_cannot_be_are_refused_and_nothing_is_lost()
    {
        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => _heap.AllocateBuffer<byte>(-1)).ParamName);
        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => _heap.AllocateBuffer<byte>(long.MinValue)).ParamName);
        Assert.Throws<ArgumentOutOfRangeException>("length", () => _heap.AllocateBuffer<byte>(-1, new() { Zeroed = true }));
        Assert.Throws<OutOfMemoryException>(() => _heap.AllocateBuffer<byte>(long.MaxValue));
        Assert.Throws<OutOfMemoryException>(() => _heap.AllocateBuffer<byte>(long.MaxValue, new() { Zeroed = true }));
        Assert.Equal((0, 0), (_heap.GetStatistics().InUseBlocks, _heap.GetStatistics().InUseBytes));
    }

    [Theory]
    [InlineData(-1, 0, "offset")]
    [InlineData(101, 0, "offset")]
    [InlineData(long.MinValue, 0, "offset")]
    [InlineData(long.MaxValue, int.MaxValue, "offset")]
    [InlineData(0, -1, "length")]
    [InlineData(0, 101, "length")]
    [InlineData(100, 1, "length")]
    [InlineData(50, int.MaxValue, "length")]
    [InlineData(50, int.MinValue, "length")]
    public void A_part_outside_the_buffer_is_refused(long offset, int length, string name)
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        Assert.Equal(name, Assert.Throws<ArgumentOutOfRangeException>(() => { buffer.GetSpan(offset, length); }).ParamName);
        Assert.Equal(name, Assert.Throws<ArgumentOutOfRangeException>(() => { buffer.GetMemory(offset, length); }).ParamName);
    }

    [Fact]
    public void A_part_may_be_empty_at_the_end()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        Assert.Equal((0, 0), (buffer.GetSpan(100, 0).Length, buffer.GetMemory(100, 0).Length));
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public void After_dispose_every_member_throws(string use)
    {
        NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        s_uses[use](buffer);
        NativeBuffer<byte> other = _heap.AllocateBuffer<byte>(100);
        other.Dispose();
        Assert.Throws<ObjectDisposedException>(() => s_uses[use](other));
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public void After_its_heap_was_disposed_every_member_throws_and_dispose_does_not(string use)
    {
        NativeHeap heap = new();
        NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(100);
        heap.Dispose();
        Assert.Throws<ObjectDisposedException>(() => s_uses[use](buffer));
        buffer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => heap.AllocateBuffer<byte>(1));
        Assert.Throws<ObjectDisposedException>(() => heap.AllocateBuffer<byte>(1, new() { Zeroed = true }));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Views_taken_before_throw_when_touched_after(bool isHeapDisposed)
    {
        using NativeHeap heap = new();
        NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(100);
        Memory<byte> memory = buffer.Memory;
        Memory<byte> slice = memory.Slice(10, 20);
        Memory<byte> window = new NativeBufferWindow<byte>(buffer, 10, 20).Memory;
        ReadOnlySequence<byte> sequence = buffer.AsReadOnlySequence();
        ReadOnlySequence<byte> segments = NativeBufferSegment<byte>.CreateSequence(buffer, 30);
        Stream stream = buffer.AsStream();
        (isHeapDisposed ? (IDisposable)heap : buffer).Dispose();

        foreach (Memory<byte> view in (Memory<byte>[])[memory, slice, window])
        {
            Assert.Throws<ObjectDisposedException>(() => view.Span.Length);
            Assert.Throws<ObjectDisposedException>(() => view.Pin());
            Assert.Throws<ObjectDisposedException>(() => view.ToArray());
        }

        Assert.Throws<ObjectDisposedException>(() => sequence.ToArray());
        Assert.Throws<ObjectDisposedException>(() => segments.ToArray());
        Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
        Assert.Throws<ObjectDisposedException>(() => stream.WriteByte(1));
        Assert.Throws<ObjectDisposedException>(() => stream.Read(new byte[1]));
        Assert.Throws<ObjectDisposedException>(() => stream.Write(new byte[1]));
        Assert.Throws<ObjectDisposedException>(() => stream.CopyTo(new MemoryStream()));
        Assert.Throws<ObjectDisposedException>(() => stream.Length);
        Assert.Throws<ObjectDisposedException>(() => stream.Seek(0, SeekOrigin.End));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(99)]
    [InlineData(100)]
    [InlineData(101)]
    public void A_sequence_of_segments_is_the_buffer(int largest)
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        new Random(3).NextBytes(buffer.GetSpan());
        ReadOnlySequence<byte> sequence = NativeBufferSegment<byte>.CreateSequence(buffer, largest);

        int segments = 0;
        foreach (ReadOnlyMemory<byte> segment in sequence)
        {
            Assert.InRange(segment.Length, 1, largest);
            segments++;
        }

        Assert.Equal((100 + largest - 1) / largest, segments);
        Assert.Equal(100, sequence.Length);
        Assert.True(buffer.GetSpan().SequenceEqual(sequence.ToArray()));
        Assert.True(buffer.GetSpan(33, 44).SequenceEqual(sequence.Slice(33, 44).ToArray()));
    }

    [Fact]
    public void A_window_is_the_part_of_the_buffer_it_names()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        new Random(4).NextBytes(buffer.GetSpan());
        Memory<byte> window = new NativeBufferWindow<byte>(buffer, 40, 20).Memory;
        Assert.Equal(buffer.GetSpan(40, 20), window.Span);
        Assert.Equal(buffer.GetSpan(45, 5), window.Slice(5, 5).Span);
        using MemoryHandle pin = window[5..].Pin();
        Assert.Equal((nint)(buffer.Pointer + 45), (nint)pin.Pointer);
        using (MemoryManager<byte> manager = new NativeBufferWindow<byte>(buffer, 40, 20))
        {
            Assert.Equal("elementIndex", Assert.Throws<ArgumentOutOfRangeException>(() => manager.Pin(21)).ParamName);
            Assert.Equal("elementIndex", Assert.Throws<ArgumentOutOfRangeException>(() => manager.Pin(-1)).ParamName);
        }

        Assert.Equal(100, buffer.Length);
    }

    [Fact]
    public void It_is_found_behind_its_memory()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        Assert.True(
            MemoryMarshal.TryGetMemoryManager<byte, NativeBuffer<byte>>(
                buffer.Memory[10..20], out NativeBuffer<byte>? found, out int start, out int length));
        Assert.Equal((buffer, 10, 10), (found, start, length));
        Assert.False(MemoryMarshal.TryGetArray<byte>(buffer.Memory, out _));
    }
}
