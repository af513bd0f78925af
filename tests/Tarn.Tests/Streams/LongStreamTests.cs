#pragma warning disable CA2022 // the test is about the result of a single read

using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>Streams longer than an array, and than 32 bits can express: mostly gaps, which take no memory where memory is native.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class LongStreamTests
{
    private const long Length = 5L << 30;

    /// <summary>Around the ends of segments and of 31 and 32 bits.</summary>
    private static readonly long[] s_places =
        [0, 5, (1L << 30) - 2, (1L << 31) - 3, (1L << 31) + 10, (1L << 32) - 1, (1L << 32) + 5, (4L << 30) + (1 << 29), Length - 4];

    [LargeMemoryFact]
    public void Five_gibibytes_of_gaps()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, MaxRetainedBytes = 0 });
        long before = ResidentMemory.IsKnown ? ResidentMemory.Bytes : 0;
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Heap = heap });
        stream.SetLength(Length);
        foreach (long place in s_places)
        {
            stream.Position = place;
            stream.Write(Stamp(place));
            Assert.Equal(place + 4, stream.Position);
        }

        byte[] read = new byte[12];
        foreach (long place in s_places)
        {
            stream.Position = Math.Max(0, place - 4);
            Assert.InRange(stream.Read(read), 8, 12);
            Assert.Equal(Stamp(place), read.AsSpan(place == 0 ? 0 : 4, 4));
            Assert.Equal(place, stream.Seek(place - stream.Position, SeekOrigin.Current));
            Assert.Equal(Stamp(place)[0], stream.ReadByte());
        }

        Assert.Equal((Length, Length - 1), (stream.Length, stream.Seek(-1, SeekOrigin.End)));
        Assert.InRange(stream.LongCapacity, Length, long.MaxValue);
        Assert.Throws<InvalidOperationException>(() => stream.Capacity);
        Assert.Throws<IOException>(stream.ToArray);
        Assert.False(stream.TryGetBuffer(out _));
        ReadOnlySequence<byte> sequence = stream.GetReadOnlySequence();
        Assert.Equal(Length, sequence.Length);
        Assert.All(s_places, place => Assert.Equal(Stamp(place), sequence.Slice(place, 4).ToArray()));
        using (Stream view = stream.OpenRead())
        {
            foreach (long place in s_places[1..])
            {
                view.Position = place;
                view.ReadExactly(read, 0, 4);
                Assert.Equal(Stamp(place), read.AsSpan(0, 4));
            }
        }

        Assert.True(!ResidentMemory.IsKnown || ResidentMemory.Bytes - before < 512 << 20, "Gaps were touched.");
        stream.SetLength((1L << 32) + 7);
        stream.SetLength((1L << 32) + 9);
        stream.Position = (1L << 32) + 5;
        Assert.Equal(4, stream.Read(read));
        Assert.Equal([.. Stamp((1L << 32) + 5)[..2], 0, 0], read[..4]);
        using OwnedSequence<byte> detached = stream.Detach();
        Assert.Equal((1L << 32) + 9, detached.Length);
        Assert.Equal(0, stream.Length);
    }

    [LargeMemoryFact(isWritten: true)]
    public void Arrays_of_just_over_two_gibibytes()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None, MaxRetainedBytes = 0 });
        using (PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Pool = pool }))
        {
            const long end = (2L << 30) + 10;
            stream.LongCapacity = end;
            byte[] block = Contents.Of(64 << 20);
            while (stream.Length < end - 10)
            {
                stream.Write(block);
            }

            stream.Write(Contents.Of(10));
            Assert.Equal(end, stream.Length);
            Assert.False(stream.TryGetBuffer(out _));
            Assert.Throws<IOException>(stream.GetBuffer);
            Assert.Throws<IOException>(stream.ToArray);
            byte[] read = new byte[20];
            stream.Position = end - 15;
            Assert.Equal(15, stream.Read(read));
            Assert.Equal([.. block[^5..], .. Contents.Of(10)], read[..15]);
            Assert.Equal(end, stream.GetReadOnlySequence().Length);
        }

        Assert.Equal(0, pool.GetStatistics().InUseBytes);
    }

    private static byte[] Stamp(long place) => [(byte)(1 + Array.IndexOf(s_places, place)), 11, 22, 33];
}
