using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>A buffer whose length exceeds an int. The tests touch only a few of its bytes, so it takes almost no memory.</summary>
public sealed unsafe class LongBufferTests : IDisposable
{
    private const long Length = (2L << 30) + (1 << 29) + 5;

    /// <summary>The beginning, the end, and both sides of 1 and 2 GiB.</summary>
    private static readonly long[] s_touched =
        [0, (1L << 30) - 1, 1L << 30, int.MaxValue - 1L, int.MaxValue, 1L << 31, (1L << 31) + 1, Length - 1];

    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None, MaxRetainedBytes = 0 });

    public void Dispose() => _heap.Dispose();

    [LargeMemoryFact]
    public void A_buffer_too_long_for_an_int_throws_and_its_parts_reach_every_byte()
    {
        using NativeBuffer<byte> buffer = Rent();
        Assert.Equal(Length, buffer.Length);
        Assert.Contains("GetSpan", Assert.Throws<OverflowException>(() => buffer.Span.Length).Message, StringComparison.Ordinal);
        Assert.Throws<OverflowException>(() => buffer.Memory);
        Assert.Throws<OverflowException>(() => { buffer.GetSpan(); });

        foreach (long at in s_touched)
        {
            Assert.Equal(Stamp(at), buffer.GetSpan(at, 1)[0]);
            Memory<byte> part = buffer.GetMemory(at, 1);
            Assert.Equal(Stamp(at), part.Span[0]);
            using MemoryHandle pin = part.Pin();
            Assert.Equal((nint)(buffer.Pointer + at), (nint)pin.Pointer);
        }

        Assert.Equal(int.MaxValue, buffer.GetMemory(Length - int.MaxValue, int.MaxValue).Span.Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => { buffer.GetSpan(Length - 1, 2); });
    }

    [LargeMemoryFact]
    public void Its_sequence_has_segments_of_a_gibibyte_and_reaches_everywhere()
    {
        using NativeBuffer<byte> buffer = Rent();
        ReadOnlySequence<byte> sequence = buffer.AsReadOnlySequence();

        List<int> lengths = [];
        foreach (ReadOnlyMemory<byte> segment in sequence)
        {
            lengths.Add(segment.Length);
        }

        Assert.Equal([1 << 30, 1 << 30, (1 << 29) + 5], lengths);
        Assert.Equal(Length, sequence.Length);
        foreach (long at in s_touched)
        {
            Assert.Equal(Stamp(at), sequence.Slice(at, 1).FirstSpan[0]);
        }

        buffer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => sequence.Slice(Length - 1).FirstSpan.Length);
    }

    [LargeMemoryFact]
    public void Its_stream_reads_and_writes_everywhere()
    {
        using NativeBuffer<byte> buffer = Rent();
        using Stream stream = buffer.AsStream();
        Assert.Equal(Length, stream.Length);
        foreach (long at in s_touched)
        {
            Assert.Equal(at, stream.Seek(at, SeekOrigin.Begin));
            Assert.Equal(Stamp(at), stream.ReadByte());
            stream.Seek(-1, SeekOrigin.Current);
            stream.WriteByte(200);
            Assert.Equal(200, buffer.Pointer[at]);
        }

        Assert.Equal(-1, stream.ReadByte());
        Assert.Throws<NotSupportedException>(() => stream.WriteByte(1));
        Assert.Equal(Length - 3, stream.Seek(-3, SeekOrigin.End));
        Assert.Equal(3, stream.Read(new byte[10]));
    }

    [LargeMemoryFact]
    public void Its_stream_copies_all_that_is_left_in_parts()
    {
        using NativeBuffer<byte> buffer = Rent();
        using Stream stream = buffer.AsStream();
        stream.Position = 1;
        using CountingDestination destination = new();
        stream.CopyTo(destination);
        Assert.Equal((Length - 1, 3), (destination.Bytes, destination.Writes));
        Assert.Equal(Length, stream.Position);
    }

    private static byte Stamp(long at) => (byte)(1 + Array.IndexOf(s_touched, at));

    private NativeBuffer<byte> Rent()
    {
        NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(Length);
        foreach (long at in s_touched)
        {
            buffer.Pointer[at] = Stamp(at);
        }

        return buffer;
    }

    /// <summary>Looks at nothing that is written to it.</summary>
    private sealed class CountingDestination : MemoryStream
    {
        internal long Bytes { get; private set; }

        internal int Writes { get; private set; }

        public override void Write(ReadOnlySpan<byte> source)
        {
            Bytes += source.Length;
            Writes++;
        }
    }
}
