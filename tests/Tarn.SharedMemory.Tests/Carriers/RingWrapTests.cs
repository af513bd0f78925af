using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Wrap-around: every offset at which a record can begin, with every length a message can have.</summary>
public sealed unsafe class RingWrapTests : RingTest
{
    /// <summary>In the bytes that no record may touch.</summary>
    private const byte Untouched = 0xC7;

    public static TheoryData<int> Capacities => [64, 128, 256];

    [Theory]
    [MemberData(nameof(Capacities))]
    public void Every_offset_and_length_keeps_its_contents_and_touches_nothing_else(int capacity)
    {
        for (int offset = 0; offset < capacity; offset += 8)
        {
            using SharedRing ring = SharedRing.Create(Name, capacity);
            StartAt(ring, offset);
            Span<byte> records = RecordsOf(ring);
            for (int length = 0; length <= ring.MaxMessageLength; length++)
            {
                // Each run begins at the same offset, so the position must be advanced to it.
                long position = ring.Header->WritePosition;
                records.Fill(Untouched);
                byte[] message = new byte[length];
                RingMessage.Fill(message, (ulong)length);

                Assert.True(ring.TryWrite(message));
                int begin = (int)(position % capacity);
                int size = RingHeader.RecordSize(length);
                Assert.Equal(position + size, ring.Header->WritePosition);
                Assert.Equal(message, records.Slice(begin + 8, length));
                Assert.Equal(-1, records[..begin].IndexOfAnyExcept(Untouched));
                Assert.Equal(-1, records[(begin + size)..].IndexOfAnyExcept(Untouched));
                Assert.True(ring.TryBeginRead(out SharedMessage read));
                Assert.Equal(message, read.Span);
                Assert.True(read.Pass());
                Advance(ring, (int)((offset - ring.Header->WritePosition) & (capacity - 1)));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Capacities))]
    public void A_ring_is_filled_to_the_last_byte_from_every_offset(int capacity)
    {
        for (int offset = 0; offset < capacity; offset += 8)
        {
            for (int length = 0; length <= capacity / 2; length += 8)
            {
                using SharedRing ring = SharedRing.Create(Name, capacity);
                StartAt(ring, offset);
                int count = capacity / RingHeader.RecordSize(length);
                byte[] message = new byte[length];
                for (int i = 0; i < count; i++)
                {
                    RingMessage.Fill(message, (ulong)i);
                    Assert.True(ring.TryWrite(message));
                }

                Assert.False(ring.TryWrite(message));
                int left = capacity - (count * RingHeader.RecordSize(length));
                Assert.Equal(left >= 8, ring.TryWrite(left >= 8 ? new byte[left - 8] : []));
                Assert.False(ring.TryWrite([]));
                ring.Validate();
                byte[] read = new byte[length];
                for (int i = 0; i < count; i++)
                {
                    RingMessage.Fill(message, (ulong)i);
                    Assert.True(ring.TryRead(read, out int readLength));
                    Assert.Equal(length, readLength);
                    Assert.Equal(message, read);
                }
            }
        }
    }

    [Fact]
    public void Positions_far_beyond_32_bits_are_as_good_as_small_ones()
    {
        foreach (long position in (long[])[(1L << 31) - 64, (1L << 32) - 64, (1L << 53) - 64, (1L << 62) - 64])
        {
            using SharedRing ring = SharedRing.Create(Name, 64);
            StartAt(ring, position);
            for (int index = 0; index < 100; index++)
            {
                byte[] message = Message(ring, index);
                ring.Write(message);
                byte[] read = new byte[ring.MaxMessageLength];
                Assert.Equal(message, read.AsSpan(0, ring.Read(read)));
            }

            Assert.True(ring.Header->WritePosition > position);
        }
    }

    /// <summary>As another process left it.</summary>
    private static void StartAt(SharedRing ring, long position) =>
        (ring.Header->WritePosition, ring.Header->ReadPosition) = (position, position);

    /// <summary>By empty messages, of 8 bytes each.</summary>
    private static void Advance(SharedRing ring, int bytes)
    {
        for (; bytes > 0; bytes -= 8)
        {
            ring.Write([]);
            Assert.Equal(0, ring.Read([]));
        }
    }

    private static Span<byte> RecordsOf(SharedRing ring) =>
        new((byte*)ring.Header + RingHeader.Length, (int)RingHeader.RegionSize(ring.Capacity) - RingHeader.Length);
}
