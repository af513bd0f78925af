namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>What messages do, whatever carries them: one contract, which a ring, a queue and a topic with its reader fulfil.</summary>
public abstract class CarrierContract : RingTest
{
    private const int Longest = 32;
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    /// <summary>Makes the carrier, which takes at least two messages of 32 bytes, and few of them.</summary>
    private protected abstract Carrier Create();

    [Fact]
    public async Task Every_way_to_write_meets_every_way_to_read()
    {
        Carrier carrier = Create();
        byte[] read = new byte[Longest];
        for (byte way = 0; way < 36; way++)
        {
            byte[] message = [way, (byte)(way + 1)];
            await carrier.Write(way % 6, message);
            int length = await carrier.Read(way / 6, read);

            Assert.Equal(message, read[..length]);
            Assert.False(carrier.TryRead(read, out length));
            Assert.Equal(0, length);
        }
    }

    [Fact]
    public void A_room_that_is_not_committed_is_abandoned_and_a_message_that_is_not_passed_is_read_again()
    {
        Carrier carrier = Create();
        Assert.True(carrier.TryBeginWrite(3, out SharedRoom room));
        Assert.Equal(3, room.Span.Length);
        room.Dispose();
        Assert.Equal("No write", Messages.Refusal<InvalidOperationException>(room, 0).Message[..8]);
        Assert.False(carrier.TryBeginRead(out _));

        Assert.True(carrier.TryWrite([7]));
        Assert.True(carrier.TryBeginRead(out SharedMessage message));
        long position = message.Position;
        message.Dispose();
        Assert.Equal("No read", Messages.Refusal<InvalidOperationException>(message).Message[..7]);
        Assert.True(carrier.TryBeginRead(out message));
        Assert.Equal((position, 7), (message.Position, (int)message.Span[0]));
        Assert.True(message.Pass());
        message.Dispose();
        Assert.False(carrier.TryBeginRead(out _));
    }

    /// <summary>The program that every guide invites to write, whose work throws.</summary>
    [Fact]
    public void An_exception_that_leaves_a_using_loses_no_message_and_publishes_none()
    {
        Carrier carrier = Create();
        Assert.True(carrier.TryWrite([7]));
        Assert.Throws<TimeoutException>((Action)ReadInVain);
        Assert.Throws<TimeoutException>((Action)WriteInVain);
        Assert.Throws<TimeoutException>((Action)ReadInVain);

        Assert.True(carrier.TryRead(new byte[Longest], out int length));
        Assert.Equal(1, length);
        Assert.False(carrier.TryBeginRead(out _));

        void ReadInVain()
        {
            using SharedMessage message = carrier.BeginRead();
            Assert.Equal(7, message.Span[0]);
            throw new TimeoutException("The database is away.");
        }

        void WriteInVain()
        {
            using SharedRoom room = carrier.BeginWrite(1);
            room.Span[0] = 9;
            throw new TimeoutException("The database is away.");
        }
    }

    [Fact]
    public void A_call_that_comes_late_says_so_and_a_call_that_tries_waits_for_nothing()
    {
        Carrier carrier = Create();
        TimeSpan soon = TimeSpan.FromMilliseconds(20);
        Assert.False(carrier.Read(new byte[Longest], out int length, soon));
        Assert.Equal(0, length);
        Assert.False(carrier.BeginRead(out SharedMessage none, soon));
        Assert.True(none.Span.IsEmpty);
        while (carrier.TryWrite(new byte[Longest]))
        {
        }

        Assert.False(carrier.Write(new byte[Longest], soon));
        Assert.False(carrier.BeginWrite(Longest, out SharedRoom room, soon));
        Assert.True(room.Span.IsEmpty);
        Assert.True(carrier.Read(new byte[Longest], out length, soon));
        Assert.Equal(Longest, length);
        Assert.True(carrier.Write(new byte[Longest], soon));
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(-1_000_000)]
    public void A_negative_timeout_is_refused(int milliseconds)
    {
        Carrier carrier = Create();
        TimeSpan timeout = TimeSpan.FromMilliseconds(milliseconds);
        Assert.Throws<ArgumentOutOfRangeException>(nameof(timeout), () => carrier.Write([], timeout));
        Assert.Throws<ArgumentOutOfRangeException>(nameof(timeout), () => carrier.Read([], out _, timeout));
        Assert.Throws<ArgumentOutOfRangeException>(nameof(timeout), () => carrier.BeginWrite(1, out _, timeout));
        Assert.Throws<ArgumentOutOfRangeException>(nameof(timeout), () => carrier.BeginRead(out _, timeout));
    }

    [Fact]
    public void A_timeout_as_long_as_there_can_be_is_taken()
    {
        Carrier carrier = Create();
        Assert.True(carrier.Write([1], TimeSpan.MaxValue));
        Assert.True(carrier.Read(new byte[Longest], out _, TimeSpan.MaxValue));
    }

    [Fact]
    public async Task A_cancelled_token_refuses_every_call_and_loses_nothing()
    {
        Carrier carrier = Create();
        Assert.True(carrier.TryWrite([1]));
        CancellationToken cancelled = new(canceled: true);
        Assert.Throws<OperationCanceledException>(() => carrier.Write([], s_long, cancelled));
        Assert.Throws<OperationCanceledException>(() => carrier.Read(new byte[Longest], out _, s_long, cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await carrier.WriteAsync(new byte[1], cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await carrier.ReadAsync(new byte[Longest], cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await carrier.WaitToReadAsync(cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await carrier.WaitToWriteAsync(1, cancelled));
        Assert.True(carrier.TryRead(new byte[Longest], out int length));
        Assert.Equal(1, length);
        Assert.False(carrier.TryRead(new byte[Longest], out _));
    }

    [Fact]
    public void Lengths_that_no_message_has_are_refused()
    {
        Carrier carrier = Create();
        foreach (int length in (int[])[-1, Longest + 1, int.MaxValue, int.MinValue])
        {
            Assert.Throws<ArgumentOutOfRangeException>(nameof(length), () => carrier.TryBeginWrite(length, out _));
            Assert.Throws<ArgumentOutOfRangeException>(nameof(length), () => carrier.BeginWrite(length, out _, s_long));
            Assert.Throws<ArgumentOutOfRangeException>(nameof(length), () => { _ = carrier.WaitToWriteAsync(length).AsTask(); });
        }

        Assert.Throws<ArgumentException>("message", () => carrier.TryWrite(new byte[Longest + 1]));
        Assert.Throws<ArgumentException>("message", () => { _ = carrier.WriteAsync(new byte[Longest + 1]).AsTask(); });
        Assert.True(carrier.TryWrite([1, 2]));
        Assert.Throws<ArgumentException>("destination", () => carrier.TryRead(new byte[1], out _));
        Assert.Throws<ArgumentException>("destination", () => { _ = carrier.ReadAsync(new byte[1]).AsTask(); });
        Assert.True(carrier.TryRead(new byte[2], out _));
    }

    [Fact]
    public async Task Tasks_that_write_and_read_wait_for_each_other()
    {
        const int count = 2000;
        Carrier carrier = Create();
        Task writing = Task.Run(async () =>
        {
            for (int i = 0; i < count; i++)
            {
                await carrier.WriteAsync(BitConverter.GetBytes(i));
            }
        });
        Task reading = Task.Run(async () =>
        {
            byte[] read = new byte[Longest];
            for (int i = 0; i < count; i++)
            {
                Assert.Equal(sizeof(int), await carrier.ReadAsync(read));
                Assert.Equal(i, BitConverter.ToInt32(read));
            }
        });
        await Eventually.AllEnd([writing, reading], "all messages come");
    }

    /// <summary>The buffer is made with the first message, and serves the others.</summary>
    [Fact]
    public void All_messages_come_in_one_buffer_and_none_allocates()
    {
        Carrier carrier = Create();
        using IEnumerator<ReadOnlyMemory<byte>> all = carrier.ReadAllAsync().ToBlockingEnumerable().GetEnumerator();
        long allocated = 0;
        for (byte i = 0; i < 100; i++)
        {
            Assert.True(carrier.TryWrite([i, 9]));
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.True(all.MoveNext());
            allocated += i < 2 ? 0 : GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.Equal([i, 9], all.Current.ToArray());
        }

        Assert.Equal(0, allocated);
    }
}
