namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Positions identify messages across restarts, and messages that were read ahead stay unread until they are passed.</summary>
public sealed class RingPositionTests : RingTest
{
    [Fact]
    public void A_position_grows_by_the_room_that_a_message_takes()
    {
        SharedRing ring = Create(64);
        Assert.Equal((0, 0), (ring.WritePosition, ring.ReadPosition));
        ring.Write([]);
        Assert.Equal(8, ring.WritePosition);
        ring.Write(new byte[9]);
        Assert.Equal((32, 0), (ring.WritePosition, ring.ReadPosition));
        Assert.Equal((32, 32), (ring.BeginWrite(1).Position, ring.WritePosition));

        ring.Read([]);
        Assert.Equal((32, 8), (ring.WritePosition, ring.ReadPosition));
        using (SharedMessage message = ring.BeginRead())
        {
            Assert.Equal((8, 8), (message.Position, ring.ReadPosition));
            message.Pass();
            Assert.Equal(32, ring.ReadPosition);
        }

        Assert.Equal(32, ring.ReadPosition);
    }

    [Fact]
    public void Two_rings_of_one_name_differ_in_their_ids()
    {
        Guid first;
        using (SharedRing ring = SharedRing.Create(Name, 64))
        {
            first = ring.Id;
            Assert.Equal(first, Open().Id);
        }

        Assert.NotEqual(Guid.Empty, first);
        Assert.NotEqual(first, Create(64).Id);
    }

    [Fact]
    public void A_successor_finds_the_messages_that_were_read_ahead_and_not_passed()
    {
        SharedRing writer = Create(64);
        for (byte i = 1; i <= 4; i++)
        {
            Assert.True(writer.TryWrite([i]));
        }

        long passed;
        using (SharedRing first = SharedRing.Open(Name))
        {
            long position = first.ReadPosition;
            Assert.Equal(1, Next(first, ref position));
            passed = position;
            Assert.Equal(2, Next(first, ref position));
            Assert.Equal(3, Next(first, ref position));
            first.AdvanceTo(passed);
        }

        SharedRing second = Open();
        Assert.Equal(passed, second.ReadPosition);
        Assert.Equal(2, Next(second, ref passed));
        second.Validate();
    }

    [Fact]
    public void The_room_of_messages_that_were_read_ahead_is_free_once_they_are_passed()
    {
        SharedRing ring = Create(64);
        ring.Write(new byte[24]);
        ring.Write(new byte[24]);
        long position = ring.ReadPosition;
        Assert.True(ring.TryReadAhead(ref position, out _));
        long first = position;
        Assert.True(ring.TryReadAhead(ref position, out _));
        Assert.False(ring.TryReadAhead(ref position, out ReadOnlySpan<byte> none));
        Assert.True(none.IsEmpty);
        Assert.False(ring.TryWrite([]));

        ring.AdvanceTo(first);
        Assert.True(ring.TryWrite(new byte[24]));
        Assert.False(ring.TryWrite([]));
        Assert.True(ring.TryReadAhead(ref position, out _));
        ring.AdvanceTo(position);
        Assert.Equal(ring.WritePosition, ring.ReadPosition);
        ring.Validate();
    }

    [Theory]
    [InlineData(-8)]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(48)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    public void A_position_where_no_unread_message_begins_or_ends_is_refused_and_nothing_is_passed(long wrong)
    {
        SharedRing ring = Create(64);
        ring.Write(new byte[8]);
        ring.Write(new byte[16]);
        ring.Read(new byte[8]);

        long position = wrong;
        string[] said =
        [
            Assert.Throws<ArgumentOutOfRangeException>(nameof(position), () => ring.AdvanceTo(wrong)).Message,
            Assert.Throws<ArgumentOutOfRangeException>(nameof(position), () => ring.TryReadAhead(ref position, out _)).Message,
        ];

        Assert.All(said, text => Assert.Contains($"{wrong}", text, StringComparison.Ordinal));
        Assert.All(said, text => Assert.Contains($"\"{Name}\"", text, StringComparison.Ordinal));
        Assert.All(said, text => Assert.Contains("from 16 to 40", text, StringComparison.Ordinal));
        Assert.Equal((wrong, 16, 40), (position, ring.ReadPosition, ring.WritePosition));
        Assert.Throws<ArgumentOutOfRangeException>(nameof(position), () => ring.AdvanceTo(32));
        ring.AdvanceTo(16);
        ring.AdvanceTo(40);
    }

    [Fact]
    public void The_span_of_a_message_that_was_read_ahead_outlives_a_forgotten_reader()
    {
        SharedRing ring = Create(64);
        ring.Write([1, 2, 3]);
        ReadOnlySpan<byte> message = ReadAhead();

        Eventually.TrueAfterCollections(() => ring.ReaderProcessId == 0, "the forgotten ring is still the reader");
        Assert.Equal([1, 2, 3], message.ToArray());
        Assert.Equal(3, ring.Read(new byte[3]));

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        ReadOnlySpan<byte> ReadAhead()
        {
            long position = 0;
            Assert.True(SharedRing.Open(Name).TryReadAhead(ref position, out ReadOnlySpan<byte> found));
            return found;
        }
    }

    private static byte Next(SharedRing ring, ref long position)
    {
        Assert.True(ring.TryReadAhead(ref position, out ReadOnlySpan<byte> message));
        return message[0];
    }
}
