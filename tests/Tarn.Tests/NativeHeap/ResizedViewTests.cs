using System.Buffers;
using System.Runtime.InteropServices;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Views of a <see cref="NativeBuffer{T}"/> that were taken before its length changed, and its bytes as a stream.</summary>
public sealed unsafe class ResizedViewTests : IDisposable
{
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });

    public void Dispose() => _heap.Dispose();

    [Fact]
    public void A_window_shows_what_is_left_and_refuses_what_is_gone()
    {
        using NativeBuffer<int> buffer = _heap.AllocateBuffer<int>(100);
        buffer.Span.Fill(3);
        using MemoryManager<int> first = new NativeBufferWindow<int>(buffer, 10, 20);
        using MemoryManager<int> last = new NativeBufferWindow<int>(buffer, 60, 20);
        using MemoryManager<byte> bytes = new MemoryWindow(buffer, 240, 80);
        Assert.True(buffer.TryResize(50));
        Assert.Equal(20, first.GetSpan().IndexOfAnyExcept(3) < 0 ? first.GetSpan().Length : -1);
        Assert.Throws<ArgumentOutOfRangeException>(() => last.GetSpan().Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => bytes.GetSpan().Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => last.Pin());
        Assert.Throws<ArgumentOutOfRangeException>(() => bytes.Pin());

        // A refused pin is none.
        Assert.True(buffer.TryResize(100));
        Assert.Equal(20, last.GetSpan().Length);
        using MemoryHandle pin = last.Pin(3);
        Assert.Equal((nint)(buffer.Pointer + 63), (nint)pin.Pointer);
        Assert.False(buffer.TryResize(10));
    }

    [Fact]
    public void A_sequence_of_segments_refuses_what_is_gone()
    {
        using NativeBuffer<short> buffer = _heap.AllocateBuffer<short>(100);
        buffer.Span.Fill(3);
        ReadOnlySequence<short> sequence = NativeBufferSegment<short>.CreateSequence(buffer, 30);
        Assert.True(sequence.ToArray().AsSpan().SequenceEqual(buffer.Span));
        Assert.True(buffer.TryResize(40));
        Assert.Equal(3, sequence.FirstSpan[29]);
        Assert.Throws<ArgumentOutOfRangeException>(() => sequence.ToArray());
    }

    [Fact]
    public void A_stream_has_the_bytes_of_the_elements_and_follows_the_length()
    {
        using NativeBuffer<int> buffer = _heap.AllocateBuffer<int>(100, new() { Zeroed = true });
        using Stream stream = buffer.AsStream();
        Assert.Equal(400, stream.Length);
        stream.Position = 4;
        stream.Write([1, 2, 3, 4, 5]);
        Assert.Equal([0, 0x04030201, 5, 0], buffer.GetSpan(0, 4).ToArray());

        byte[] all = new byte[400];
        stream.Position = 0;
        stream.ReadExactly(all);
        Assert.True(MemoryMarshal.AsBytes(buffer.Span).SequenceEqual(all));
        using MemoryStream copied = new();
        stream.Position = 2;
        stream.CopyTo(copied);
        Assert.Equal(all[2..], copied.ToArray());

        Assert.True(buffer.TryResize(20));
        Assert.Equal((80, 400), (stream.Length, stream.Position));
        Assert.Equal(0, stream.Read(all));
        Assert.Throws<NotSupportedException>(() => stream.WriteByte(1));
        stream.Position = 70;
        Assert.Equal(10, stream.Read(all));
        Assert.True(buffer.TryResize(21), "A stream holds no pin between its calls.");
        Assert.Equal(4, stream.Read(all));
        Assert.Equal(0, stream.Read(all));
    }

    /// <summary>A stream on one thread, a resize on another: bytes of the buffer, and never those behind it.</summary>
    [Fact]
    public void A_stream_beside_resizes_reads_elements_of_the_buffer_alone()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, MaxRetainedBytes = 0 });
        using NativeBuffer<long> buffer = heap.AllocateBuffer<long>(100_000, new() { Zeroed = true });
        bool isOver = false;
        Thread resizing = new(() =>
        {
            for (int i = 0; !Volatile.Read(ref isOver); i++)
            {
                _ = buffer.TryResize(i % 2 == 0 ? 10 : 100_000);
            }
        });
        resizing.Start();

        using Stream stream = buffer.AsStream();
        byte[] bytes = new byte[4096];
        for (int i = 0; i < 20_000; i++)
        {
            stream.Position = i % 2 == 0 ? 400_000 : 0;
            int count = stream.Read(bytes);
            Assert.Equal(-1, bytes.AsSpan(0, count).IndexOfAnyExcept((byte)0));
        }

        Volatile.Write(ref isOver, true);
        resizing.Join();
        heap.Validate();
    }
}
