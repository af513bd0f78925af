namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Bad arguments and wrong names: the exception names the argument, the value and the way out, and nothing has changed.</summary>
public sealed class QueueArgumentTests : QueueTest
{
    [Theory]
    [InlineData(0, 64, "capacity")]
    [InlineData(-1, 64, "capacity")]
    [InlineData((1 << 20) + 1, 64, "capacity")]
    [InlineData(2, 0, "maxMessageLength")]
    [InlineData(2, -5, "maxMessageLength")]
    [InlineData(2, (1 << 28) + 1, "maxMessageLength")]
    public void A_size_outside_its_limits_is_refused(int capacity, int longest, string name)
    {
        object value = name == "capacity" ? capacity : longest;
        foreach (Action create in (Action[])[
            () => SharedQueue.Create(Name, capacity, longest), () => SharedQueue.CreateOrOpen(Name, capacity, longest)])
        {
            ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(name, create);
            Assert.Equal(value, e.ActualValue);
        }
    }

    [Fact]
    public void A_message_or_destination_of_a_wrong_length_is_refused_and_the_message_remains()
    {
        SharedQueue queue = CreateQueue(2, 10);
        Assert.Throws<ArgumentException>("message", () => queue.TryWrite(new byte[11]));
        Assert.Throws<ArgumentException>("message", () => queue.Write(new byte[11], TimeSpan.FromSeconds(1)));
        Assert.True(queue.TryWrite(new byte[10]));
        string text = Assert.Throws<ArgumentException>("destination", () => queue.TryRead(new byte[9], out _)).Message;
        Assert.Contains("The message has 10 bytes, and the destination 9.", text, StringComparison.Ordinal);
        Assert.True(queue.TryRead(new byte[10], out int length));
        Assert.Equal(10, length);
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(-1_000_000)]
    public void A_negative_timeout_is_refused(int milliseconds)
    {
        SharedQueue queue = CreateQueue(2, 10);
        TimeSpan timeout = TimeSpan.FromMilliseconds(milliseconds);
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => SharedQueue.OpenWhenCreated(Name, timeout));
        queue.Validate();
    }

    [Fact]
    public void A_name_leads_to_a_queue_of_the_same_size_or_is_refused()
    {
        SharedQueue queue = CreateQueue(4, 100);
        Assert.Contains(
            "a queue of 4 messages of up to 100 bytes", Assert.Throws<IOException>(() => CreateQueue(4, 100)).Message,
            StringComparison.Ordinal);
        foreach ((int capacity, int longest) in ((int, int)[])[(8, 100), (4, 101), (4, 5000)])
        {
            string text = Assert.Throws<IOException>(() => SharedQueue.CreateOrOpen(Name, capacity, longest)).Message;
            Assert.Contains(
                $"exists with 4 messages of up to 100 bytes, not {capacity} messages of up to {longest} bytes", text,
                StringComparison.Ordinal);
        }

        Assert.Contains("it is a queue", Assert.Throws<InvalidDataException>(Open).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidDataException>(() => SharedRegion.Open(Name));
        using SharedQueue same = SharedQueue.CreateOrOpen(Name, 3, 100);
        using SharedQueue waited = SharedQueue.OpenWhenCreated(Name, TimeSpan.FromSeconds(60));
        Assert.Equal((queue.Id, queue.Id), (same.Id, waited.Id));
        Assert.Contains(SharedRegion.List(), region => region.Name == Name);
    }

    [Fact]
    public void A_name_that_leads_to_no_queue_is_refused()
    {
        Assert.Throws<FileNotFoundException>(OpenQueue);
        string text = Assert.Throws<TimeoutException>(
            () => SharedQueue.OpenWhenCreated(Name, TimeSpan.FromMilliseconds(10))).Message;
        Assert.Contains($"No process created the queue \"{Name}\"", text, StringComparison.Ordinal);
        Create(64);
        Assert.Contains("it is a ring", Assert.Throws<InvalidDataException>(OpenQueue).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-64)]
    [InlineData(63)]
    [InlineData((1 << 28) + 1)]
    [InlineData(int.MinValue)]
    public void A_header_whose_message_length_does_not_fit_its_size_is_refused(int longest)
    {
        CreateQueue(4, 64);
        string path = Path.Combine(NamedMemory.Current.Directory, RegionNames.ToFileName(Name));
        using (FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
        {
            file.Position = 76;
            file.Write(BitConverter.GetBytes(longest == 63 ? 6300 : longest));
        }

        string text = Assert.Throws<InvalidDataException>(OpenQueue).Message;
        Assert.Contains($"The queue \"{Name}\" cannot be opened", text, StringComparison.Ordinal);
    }
}
