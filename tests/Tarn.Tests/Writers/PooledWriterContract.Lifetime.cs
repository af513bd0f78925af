using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

/// <content>Reservations, detached contents and disposal.</content>
public abstract partial class PooledWriterContract
{
    [Fact]
    public void A_reservation_follows_the_contents_as_they_grow()
    {
        using PooledWriter<byte> writer = Create();
        writer.Write([9]);
        WriterReservation<byte> place = writer.Reserve(4);
        WriterReservation<byte> empty = writer.Reserve(0);
        writer.Write(new byte[100_000]);
        Assert.Equal((1, 4, 5, 0), (place.Offset, place.Length, empty.Offset, empty.Length));
        Assert.Equal([0, 0, 0, 0], place.Span.ToArray());
        Assert.True(BitConverter.TryWriteBytes(place.Span, writer.WrittenCount - place.Offset - place.Length));
        writer.Write(new byte[1_000_000]);

        Assert.Equal(100_000, BitConverter.ToInt32(writer.WrittenSpan[1..]));
        Assert.Equal(0, empty.Span.Length);
        place.Span.Fill(7);
        Assert.Equal([9, 7, 7, 7, 7, 0], writer.WrittenSpan[..6].ToArray());
    }

    [Fact]
    public void A_reservation_is_zero_where_the_buffer_was_not()
    {
        using PooledWriter<byte> writer = Create();
        writer.GetSpan(100).Fill(255);
        writer.Reserve(100);
        Assert.Equal(-1, writer.WrittenSpan.IndexOfAnyExcept((byte)0));
    }

    [Fact]
    public void A_reservation_ends_with_the_contents_it_belongs_to()
    {
        PooledWriter<byte> writer = Create();
        WriterReservation<byte> cleared = writer.Reserve(4);
        writer.Clear();
        WriterReservation<byte> detached = writer.Reserve(4);
        Assert.Throws<InvalidOperationException>(() => cleared.Span.Length);
        using IMemoryOwner<byte> owner = writer.Detach();
        WriterReservation<byte> disposed = writer.Reserve(4);
        Assert.Throws<InvalidOperationException>(() => cleared.Span.Length);
        Assert.Throws<InvalidOperationException>(() => detached.Span.Length);
        Assert.Equal(4, disposed.Span.Length);
        writer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => disposed.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => detached.Span.Length);
        Assert.Throws<InvalidOperationException>(() => default(WriterReservation<byte>).Span.Length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5000)]
    public void Detached_contents_have_their_exact_length_and_were_not_copied(int count)
    {
        using PooledWriter<byte> writer = Create(capacity: 10);
        writer.Write([.. Enumerable.Range(0, count).Select(static i => (byte)i)]);
        ref byte first = ref MemoryMarshal.GetReference(writer.WrittenSpan);
        IMemoryOwner<byte> owner = writer.Detach();
        Assert.True(Unsafe.AreSame(ref first, ref MemoryMarshal.GetReference(owner.Memory.Span)));
        Assert.Equal((0, 0), (writer.WrittenCount, writer.Capacity));
        writer.Write([255, 255]);
        Assert.Equal(Enumerable.Range(0, count).Select(static i => (byte)i), owner.Memory.ToArray());

        writer.Dispose();
        Assert.Equal(count, owner.Memory.Length);
        owner.Dispose();
        owner.Dispose();
        Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        _source.AssertAllReturned();
    }

    [Fact]
    public void An_unused_writer_detaches_nothing()
    {
        using PooledWriter<byte> writer = Create();
        using IMemoryOwner<byte> owner = writer.Detach();
        Assert.Equal(0, owner.Memory.Length);
        _source.AssertAllReturned();
    }

    [Fact]
    public void A_disposed_writer_throws_in_every_member()
    {
        PooledWriter<byte> writer = Create();
        writer.Write(new byte[100]);
        writer.Dispose();
        writer.Dispose();
        _source.AssertAllReturned();
        Action[] calls =
        [
            () => writer.GetSpan(), () => writer.GetSpan(5000), () => writer.GetMemory(), () => writer.Advance(0),
            () => writer.Advance(1), () => writer.Advance(-1), () => writer.Write(1), () => writer.Write([1]), () => writer.Write([]),
            () => writer.Reserve(1), () => writer.Reserve(0), () => writer.Clear(), () => writer.Detach(),
            () => _ = writer.WrittenCount, () => _ = writer.Capacity, () => writer.WrittenSpan.ToArray(), () => _ = writer.WrittenMemory,
        ];
        foreach (Action call in calls)
        {
            Assert.Contains("PooledWriter", Assert.Throws<ObjectDisposedException>(call).Message, StringComparison.Ordinal);
        }

        _source.AssertAllReturned();
    }

    [Fact]
    public void Disposals_on_two_threads_return_the_buffer_once()
    {
        Race(static writer => writer.Dispose());
        _source.AssertAllReturned();
    }

    /// <summary>A disposal while another thread grows or detaches: that throws, and every buffer goes back once.</summary>
    [Fact]
    public void A_disposal_during_growth_returns_every_buffer_once()
    {
        Race(WriteUntilDisposed);
        _source.AssertAllReturned();
    }

    /// <summary>Runs a call on writers that another thread disposes at the same moment. The checks find a second return.</summary>
    private void Race(Action<PooledWriter<byte>> call)
    {
        int rounds = StressLength.Times(250, 1000);
        PooledWriter<byte>[] writers = [.. Enumerable.Range(0, rounds).Select(_ => Create(capacity: 1))];
        int arrived = 0;
        int failed = 0;
        Parallel.Invoke(() => EachTogether(static writer => writer.Dispose()), () => EachTogether(call));
        Assert.Equal(0, failed);

        void EachTogether(Action<PooledWriter<byte>> one)
        {
            for (int round = 0; round < rounds; round++)
            {
                SpinWait spin = default;
                Interlocked.Increment(ref arrived);
                while (Volatile.Read(ref arrived) < 2 * (round + 1))
                {
                    spin.SpinOnce(sleep1Threshold: -1);
                }

                try
                {
                    one(writers[round]);
                }
                catch (InvalidOperationException)
                {
                    // Go on, because the other thread waits for this one in the next round.
                    Interlocked.Increment(ref failed);
                }
            }
        }
    }

    private static void WriteUntilDisposed(PooledWriter<byte> writer)
    {
        try
        {
            for (int i = 0; ; i++)
            {
                _ = writer.GetSpan(writer.Capacity - writer.WrittenCount + 1);
                if (i % 3 == 2)
                {
                    writer.Detach().Dispose();
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // The other thread was here.
        }
    }
}
