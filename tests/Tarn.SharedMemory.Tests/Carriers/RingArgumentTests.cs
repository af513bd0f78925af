namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The refused arguments, and the messages of the refusals.</summary>
public sealed unsafe class RingArgumentTests : RingTest
{
    [Theory]
    [InlineData(1, 64)]
    [InlineData(64, 64)]
    [InlineData(65, 128)]
    [InlineData(4096, 4096)]
    [InlineData(1_000_000, 1 << 20)]
    public void The_capacity_is_rounded_up_to_a_power_of_two(int asked, int capacity)
    {
        SharedRing made = Create(asked);
        SharedRing opened = Open();

        Assert.Equal((capacity, capacity / 2, Name), (made.Capacity, made.MaxMessageLength, made.Name));
        Assert.Equal((capacity, capacity / 2, Name), (opened.Capacity, opened.MaxMessageLength, opened.Name));
        made.Validate();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData((1 << 30) + 1)]
    [InlineData(int.MaxValue)]
    public void A_capacity_that_is_none_is_refused(int capacity)
    {
        ArgumentOutOfRangeException e =
            Assert.Throws<ArgumentOutOfRangeException>(nameof(capacity), () => SharedRing.Create(Name, capacity));

        Assert.Equal(capacity, e.ActualValue);
        Assert.Contains($"{1 << 30}", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_are_those_of_regions()
    {
        Assert.Throws<ArgumentNullException>("name", () => SharedRing.Create(null!, 64));
        Assert.Throws<ArgumentNullException>("name", () => SharedRing.Open(null!));
        Assert.Throws<ArgumentException>("name", () => SharedRing.Create("a/b", 64));
        Assert.Throws<ArgumentException>("name", () => SharedRing.Open(""));
        Assert.Contains(Name, Assert.Throws<FileNotFoundException>(() => SharedRing.Open(Name)).Message, StringComparison.Ordinal);
        Create(64);
        Assert.Contains(Name, Assert.Throws<IOException>(() => SharedRing.Create(Name, 64)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_region_is_no_ring_and_a_ring_no_region()
    {
        Create(64);
        string other = Name + "-region";
        Keep(SharedRegion.Create(other, 4096));

        Assert.Contains("ring", Assert.Throws<InvalidDataException>(() => SharedRegion.Open(Name)).Message, StringComparison.Ordinal);
        Assert.Contains(other, Assert.Throws<InvalidDataException>(() => SharedRing.Open(other)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1023)]
    [InlineData(1024 + 64 + 32)]
    [InlineData(1 << 20)]
    public void A_region_that_says_it_is_a_ring_and_has_no_rings_size_is_refused_and_not_kept(int size)
    {
        using SharedRegion region = SharedRegion.Create(NamedMemory.Current, Name, new RegionShape(size), options: null, RegionKind.Ring);

        InvalidDataException e = Assert.Throws<InvalidDataException>(() => SharedRing.Open(Name));

        Assert.Contains($"{size} bytes", e.Message, StringComparison.Ordinal);
        Assert.Contains(Name, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_capacity_is_known_by_the_size_of_its_region_and_no_other_size_is_a_ring()
    {
        for (int capacity = RingHeader.LeastCapacity; capacity is > 0 and <= RingHeader.MostCapacity; capacity *= 2)
        {
            long size = RingHeader.RegionSize(capacity);

            Assert.Equal(capacity, RingHeader.CapacityOf(size));
            Assert.Null(RingHeader.CapacityOf(size - 1));
            Assert.Null(RingHeader.CapacityOf(size + 1));
        }

        Assert.Null(RingHeader.CapacityOf(0));
        Assert.Null(RingHeader.CapacityOf(long.MaxValue));
    }

    [Fact]
    public void Refusals_name_the_value_and_change_nothing()
    {
        SharedRing ring = Create(64);
        ring.Write([1, 2, 3]);

        AssertSays("33 bytes", Assert.Throws<ArgumentException>("message", () => ring.Write(new byte[33])));
        AssertSays("32", Assert.Throws<ArgumentException>("message", () => ring.TryWrite(new byte[33])));
        AssertSays("0 to 32 bytes", Assert.Throws<ArgumentOutOfRangeException>("length", () => ring.BeginWrite(33)));
        AssertSays("-1", Assert.Throws<ArgumentOutOfRangeException>("length", () => ring.TryBeginWrite(-1, out _)));
        AssertSays("3 bytes", Assert.Throws<ArgumentException>("destination", () => ring.Read(new byte[2])));
        AssertSays("the destination 2", Assert.Throws<ArgumentException>("destination", () => ring.TryRead(new byte[2], out _)));
        AssertSays("No write of this message", Assert.Throws<InvalidOperationException>(() => default(SharedRoom).Commit(0)));
        AssertSays("No read of this message", Assert.Throws<InvalidOperationException>(() => default(SharedMessage).Pass()));

        byte[] read = new byte[3];
        Assert.Equal(3, ring.Read(read));
        Assert.Equal([1, 2, 3], read);
        Assert.False(ring.TryRead([], out int length));
        Assert.Equal(0, length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(32)]
    public void A_message_cannot_be_ended_longer_than_it_was_begun_and_can_be_ended_after_the_refusal(int begun)
    {
        SharedRing ring = Create(64);
        SharedRoom room = ring.BeginWrite(begun);
        room.Span.Fill(9);

        foreach (int wrong in (int[])[-1, begun + 1, 33, int.MaxValue, int.MaxValue - 7, int.MinValue])
        {
            ArgumentOutOfRangeException e = Messages.Refusal<ArgumentOutOfRangeException>(room, wrong);
            Assert.Equal(((long)wrong, "length"), (Convert.ToInt64(e.ActualValue), e.ParamName));
            AssertSays($"between 0 and {begun}", e);
        }

        ring.Validate();
        Assert.False(ring.TryBeginRead(out _));
        room.Commit(begun);
        Assert.True(ring.TryBeginRead(out SharedMessage message));
        Assert.Equal(begun, message.Span.Length);
    }

    [Fact]
    public void The_next_call_discards_a_begun_message()
    {
        SharedRing ring = Create(64);
        SharedRoom room = ring.BeginWrite(32);
        room.Span.Fill(1);
        ring.Write([2]);
        Messages.Refusal<InvalidOperationException>(room, 0);

        SharedMessage message = ring.BeginRead();
        byte[] read = new byte[1];
        Assert.True(ring.TryRead(read, out _));
        Assert.Equal([2], read);
        Messages.Refusal<InvalidOperationException>(message);
        ring.Write([3]);
        message.Dispose();
        Assert.Equal(1, ring.Read(read));
        Assert.Equal([3], read);
        Assert.False(ring.TryBeginRead(out _));
    }

    [Fact]
    public void A_disposed_ring_refuses_everything_but_its_name_and_sizes()
    {
        SharedRing ring = Create(100);
        ring.Write([1]);
        SharedMessage message = ring.BeginRead();
        SharedRoom room = ring.BeginWrite(1);
        ring.Dispose();
        ring.Dispose();
        Messages.Refusal<ObjectDisposedException>(room, 0);
        Messages.Refusal<ObjectDisposedException>(message);
        room.Dispose();
        message.Dispose();

        Assert.Equal((Name, 128, 64), (ring.Name, ring.Capacity, ring.MaxMessageLength));
        foreach (Action use in (Action[])
        [
            ring.AttachWriter, ring.AttachReader, () => ring.Write([]), () => ring.TryWrite([]), () => ring.BeginWrite(0),
            () => ring.TryBeginWrite(0, out _), () => ring.Write([], TimeSpan.Zero), () => ring.Read([]), () => ring.TryRead([], out _),
            () => ring.BeginRead(), () => ring.TryBeginRead(out _), () => ring.Read([], out _, TimeSpan.Zero),
            () => _ = ring.WriterProcessId, () => _ = ring.ReaderProcessId,
            () => _ = ring.WritePosition, () => _ = ring.ReadPosition, () => ring.AdvanceTo(0), () => ReadAhead(ring, 0),
        ])
        {
            Assert.Throws<ObjectDisposedException>(use);
        }
    }

    [Fact]
    public void A_second_ring_of_the_process_is_refused_a_place_that_is_taken()
    {
        SharedRing first = Create(64);
        SharedRing second = Open();
        Assert.Equal((0, 0), (first.WriterProcessId, second.ReaderProcessId));
        first.AttachWriter();
        first.AttachWriter();
        second.AttachReader();

        AssertSays("ring first: this process", Assert.Throws<InvalidOperationException>(second.AttachWriter));
        AssertSays("ring first: this process", Assert.Throws<InvalidOperationException>(() => first.TryRead([], out _)));
        Assert.Equal((Environment.ProcessId, Environment.ProcessId), (second.WriterProcessId, first.ReaderProcessId));

        first.Dispose();
        Assert.Equal((0, Environment.ProcessId), (second.WriterProcessId, second.ReaderProcessId));
        second.AttachWriter();
        Assert.Equal(Environment.ProcessId, second.WriterProcessId);
    }

    [Fact]
    public void A_forgotten_ring_gives_up_its_places()
    {
        SharedRing ring = Create(64);
        Forget();

        Eventually.TrueAfterCollections(() => ring.WriterProcessId == 0, "the forgotten ring is still the writer");
        ring.Write([]);

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        void Forget()
        {
#pragma warning disable CA2000 // it is forgotten on purpose
            SharedRing.Open(Name).AttachWriter();
#pragma warning restore CA2000
            Assert.NotEqual(0, ring.WriterProcessId);
        }
    }

    [Fact]
    public void The_span_of_a_message_that_is_begun_outlives_a_forgotten_reader()
    {
        SharedRing ring = Create(64);
        ring.Write([1, 2, 3]);
        ReadOnlySpan<byte> message = Begin();

        Eventually.TrueAfterCollections(() => ring.ReaderProcessId == 0, "the forgotten ring is still the reader");
        Assert.Equal([1, 2, 3], message.ToArray());
        Assert.Equal(3, ring.Read(new byte[3]));

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        ReadOnlySpan<byte> Begin() => SharedRing.Open(Name).BeginRead().Span;
    }

    [Fact]
    public void The_span_of_a_message_that_is_begun_outlives_a_forgotten_writer()
    {
        SharedRing ring = Create(64);
        Span<byte> message = Begin();

        Eventually.TrueAfterCollections(() => ring.WriterProcessId == 0, "the forgotten ring is still the writer");
        message.Fill(42);
        Assert.False(ring.TryRead([], out _));

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        Span<byte> Begin() => SharedRing.Open(Name).BeginWrite(3).Span;
    }

    [Fact]
    public void A_header_that_breaks_its_equations_is_reported_with_its_values_and_the_role_is_not_kept()
    {
        (long, long)[] positions = [(-8, 0), (4, 0), (1L << 62, (1L << 62) - 72), (long.MaxValue - 7, long.MaxValue - 7)];
        foreach ((long write, long read) in positions)
        {
            using SharedRing ring = SharedRing.Create(Name, 64);
            (ring.Header->WritePosition, ring.Header->ReadPosition) = (write, read);

            AssertSays($"{write}", Assert.Throws<InvalidDataException>(() => ring.TryWrite([])));
            InvalidDataException e = Assert.Throws<InvalidDataException>(() => ring.TryRead([], out _));
            Assert.Contains(Name, e.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(int.MaxValue)]
    [InlineData(33)]
    [InlineData(1)]
    [InlineData(32)]
    public void A_record_longer_than_the_written_bytes_is_reported_and_stays(int length)
    {
        SharedRing ring = Create(64);
        ring.Write([]);
        *(int*)((byte*)ring.Header + RingHeader.Length) = length;

        foreach (Action read in (Action[])
        [
            () => ring.Read(new byte[64]), () => ring.TryRead(new byte[64], out _), () => ring.BeginRead(), () => ring.TryBeginRead(out _),
        ])
        {
            AssertSays($"states a length of {length} bytes", Assert.Throws<InvalidDataException>(read));
        }

        *(int*)((byte*)ring.Header + RingHeader.Length) = 0;
        Assert.Equal(0, ring.Read([]));
    }

    [Fact]
    public void Positions_that_are_not_multiples_of_8_are_reported()
    {
        SharedRing ring = Create(64);
        ring.Write([]);
        Assert.Equal(0, ring.Read([]));
        ring.Header->WritePosition = 20;

        AssertSays("20", Assert.Throws<InvalidDataException>(() => ring.TryRead([], out _)));

        using SharedRing other = SharedRing.Create(Name + "-other", 64);
        (other.Header->WritePosition, other.Header->ReadPosition) = (20, 12);
        AssertSays("its write position is 20", Assert.Throws<InvalidDataException>(other.AttachWriter));
        AssertSays("its read position is 12", Assert.Throws<InvalidDataException>(other.AttachReader));
        Assert.Equal((0, 0), (other.WriterProcessId, other.ReaderProcessId));
    }

    private static void ReadAhead(SharedRing ring, long position) => ring.TryReadAhead(ref position, out _);

    private static void AssertSays(string text, Exception e) => Assert.Contains(text, e.Message, StringComparison.Ordinal);
}
