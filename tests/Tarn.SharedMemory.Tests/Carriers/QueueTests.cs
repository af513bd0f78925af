namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>What one process sees of a queue: order, room, messages in place, and what disposal does.</summary>
public sealed class QueueTests : QueueTest
{
    [Theory]
    [InlineData(1, 1, 2)]
    [InlineData(2, 64, 2)]
    [InlineData(1000, 5000, 1024)]
    public void A_queue_holds_as_many_messages_as_its_capacity_and_gives_them_in_order(int requested, int longest, int capacity)
    {
        SharedQueue queue = CreateQueue(requested, longest);
        Assert.Equal((capacity, longest), (queue.Capacity, queue.MaxMessageLength));
        byte[] bytes = new byte[longest];
        for (int turn = 0; turn < 3; turn++)
        {
            for (int i = 0; i < capacity; i++)
            {
                Assert.True(queue.TryWrite(Bytes(i, longest)));
            }

            Assert.False(queue.TryWrite([]));
            Assert.False(queue.Write([], TimeSpan.FromMilliseconds(20)));
            queue.Validate();
            for (int i = 0; i < capacity; i++)
            {
                Assert.True(queue.TryRead(bytes, out int length));
                Assert.Equal(Bytes(i, longest), bytes.AsSpan(0, length));
            }

            Assert.False(queue.TryRead(bytes, out int none));
            Assert.False(queue.Read(bytes, out _, TimeSpan.FromMilliseconds(20)));
            Assert.Equal(0, none);
            queue.Validate();
        }
    }

    [Fact]
    public void A_message_in_place_is_seen_when_it_is_ended_and_its_room_is_free_when_it_is_passed()
    {
        SharedQueue queue = CreateQueue(2);
        Assert.True(queue.TryBeginWrite(queue.MaxMessageLength, out SharedRoom room));
        Assert.Equal(64, room.Span.Length);
        Assert.True(queue.TryWrite([2]));
        Assert.False(queue.TryWrite([3]));
        Assert.Null(ReadAny(queue));

        room.Span[0] = 1;
        room.Commit(1);
        Assert.True(queue.TryBeginRead(out SharedMessage first));
        Assert.Equal((byte[])[1], first.Span);
        Assert.Equal([2], ReadAny(queue));
        Assert.False(queue.TryWrite([3]));
        Assert.True(first.Pass());
        Assert.True(queue.TryWrite([3]));
        Assert.Equal([3], ReadAny(queue));
        Assert.Equal((0, 0), (queue.SkippedCount, queue.ReturnedCount));
    }

    [Fact]
    public void A_room_that_is_disposed_is_passed_over()
    {
        SharedQueue queue = CreateQueue(4);
        Assert.True(queue.TryWrite([1]));
        Assert.True(queue.TryBeginWrite(queue.MaxMessageLength, out SharedRoom room));
        Assert.True(queue.TryWrite([3]));
        room.Dispose();
        room.Dispose();
        AssertNotBegun(room);

        Assert.Equal([1], ReadAny(queue));
        Assert.Equal([3], ReadAny(queue));
        Assert.Null(ReadAny(queue));
        queue.Validate();
        Assert.Equal((0, 0), (queue.SkippedCount, queue.ReturnedCount));
    }

    [Fact]
    public void A_message_that_is_given_back_is_read_again_before_those_that_follow()
    {
        SharedQueue queue = CreateQueue(4);
        SharedQueue other = OpenQueue();
        for (byte i = 1; i <= 3; i++)
        {
            Assert.True(queue.TryWrite([i]));
        }

        Assert.True(queue.TryBeginRead(out SharedMessage message));
        message.Dispose();
        message.Dispose();
        AssertNotBegun(message);

        Assert.Equal([1], ReadAny(other));
        Assert.Equal([2], ReadAny(queue));
        Assert.Equal([3], ReadAny(other));
        Assert.Null(ReadAny(other));
        Assert.Equal(1, other.ReturnedCount);
        queue.Validate();
    }

    [Fact]
    public void Each_message_is_passed_and_published_once()
    {
        SharedQueue queue = CreateQueue(4);
        Assert.True(queue.TryBeginWrite(queue.MaxMessageLength, out SharedRoom room));
        Assert.Equal("length", ThrowsOutside(room, 65));
        Assert.Equal("length", ThrowsOutside(room, -1));
        room.Commit(64);
        AssertNotBegun(room);
        room.Dispose();
        Assert.True(queue.TryBeginRead(out SharedMessage message));
        Assert.True(message.Pass());
        AssertNotBegun(message);
        message.Dispose();
        Assert.Null(ReadAny(queue));
        AssertNotBegun(default(SharedRoom));
        AssertNotBegun(default(SharedMessage));
        Assert.Equal(0, queue.ReturnedCount);
    }

    [Fact]
    public void Disposal_skips_what_the_object_wrote_and_returns_what_it_read()
    {
        SharedQueue queue = CreateQueue(8);
        SharedQueue other = OpenQueue();
        Assert.Equal(2, queue.MemberCount);
        Assert.True(queue.TryWrite([1]));
        Assert.True(other.TryBeginRead(out _));
        Assert.True(other.TryBeginWrite(other.MaxMessageLength, out _));
        Assert.True(queue.TryWrite([3]));
        Assert.Null(ReadAny(queue));

        other.Dispose();

        Assert.Equal([1], ReadAny(queue));
        Assert.Equal([3], ReadAny(queue));
        Assert.Null(ReadAny(queue));
        Assert.Equal((1, 1, 1), (queue.SkippedCount, queue.ReturnedCount, queue.MemberCount));
        Assert.Throws<ObjectDisposedException>(() => other.TryWrite([]));
        Assert.Throws<ObjectDisposedException>(() => other.TryRead([], out _));
        Assert.Throws<ObjectDisposedException>(() => other.SkippedCount);
        queue.Validate();
    }

    [Fact]
    public void A_queue_that_is_forgotten_with_a_message_in_progress_stays_a_member()
    {
        SharedQueue queue = CreateQueue(4);
        Forget(begins: true);
        Forget(begins: false);
        Eventually.TrueAfterCollections(() => queue.MemberCount == 2, "one of the forgotten queues stays");
        Eventually.Collect();
        Assert.Equal(2, queue.MemberCount);
        Assert.True(queue.TryWrite([2]));
        Assert.Null(ReadAny(queue));
        Assert.Equal(0, queue.SkippedCount);
    }

    [Fact]
    public void As_many_objects_as_documented_are_members()
    {
        SharedQueue queue = CreateQueue(2);
        SharedQueue[] others = [.. Enumerable.Range(1, 59).Select(_ => OpenQueue())];
        Assert.Equal(60, queue.MemberCount);
        string message = Assert.Throws<InvalidOperationException>(OpenQueue).Message;
        Assert.Contains("60 members", message, StringComparison.Ordinal);
        others[30].Dispose();
        SharedQueue last = OpenQueue();
        Assert.True(last.TryWrite([1]));
        Assert.Equal([1], ReadAny(others[58]));
    }

    private static byte[] Bytes(int i, int longest)
    {
        byte[] bytes = new byte[i % (longest + 1)];
        new Random(i).NextBytes(bytes);
        return bytes;
    }

    private static byte[]? ReadAny(SharedQueue queue)
    {
        byte[] bytes = new byte[queue.MaxMessageLength];
        return queue.TryRead(bytes, out int length) ? bytes[..length] : null;
    }

    private static string? ThrowsOutside(SharedRoom room, int length)
    {
        try
        {
            room.Commit(length);
        }
        catch (ArgumentOutOfRangeException e)
        {
            return e.ParamName;
        }

        return null;
    }

    private static void AssertNotBegun(SharedRoom room)
    {
        try
        {
            room.Commit(0);
        }
        catch (InvalidOperationException e)
        {
            Assert.StartsWith("No write of this message is in progress", e.Message, StringComparison.Ordinal);
            return;
        }

        Assert.Fail("A message was published twice.");
    }

    private static void AssertNotBegun(SharedMessage message)
    {
        try
        {
            message.Pass();
        }
        catch (InvalidOperationException e)
        {
            Assert.StartsWith("No read of this message is in progress", e.Message, StringComparison.Ordinal);
            return;
        }

        Assert.Fail("A message was passed twice.");
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private void Forget(bool begins)
    {
        SharedQueue queue = SharedQueue.Open(Name);
        Assert.Equal(begins, begins && queue.TryBeginWrite(queue.MaxMessageLength, out _));
    }
}
