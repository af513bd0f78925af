namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Bad arguments and wrong names: the exception names the argument, the value and the way out, and nothing has changed.</summary>
public sealed class TopicArgumentTests : TopicTest
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
            () => SharedTopic.Create(Name, capacity, longest), () => SharedTopic.CreateOrOpen(Name, capacity, longest)])
        {
            ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(name, create);
            Assert.Equal(value, e.ActualValue);
        }
    }

    [Fact]
    public void A_message_or_destination_of_a_wrong_length_is_refused_and_the_message_remains()
    {
        SharedTopic topic = CreateTopic(2, 10);
        using SharedTopicReader reader = topic.OpenReader();
        Assert.Throws<ArgumentException>("message", () => topic.TryWrite(new byte[11]));
        Assert.Throws<ArgumentException>("message", () => topic.Write(new byte[11], TimeSpan.FromSeconds(1)));
        Assert.True(topic.TryWrite(new byte[10]));
        string text = Assert.Throws<ArgumentException>("destination", () => reader.TryRead(new byte[9], out _)).Message;
        Assert.Contains("The message has 10 bytes, and the destination 9.", text, StringComparison.Ordinal);
        Assert.True(reader.TryRead(new byte[10], out int length));
        Assert.Equal(10, length);
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(-1_000_000)]
    public void A_negative_timeout_is_refused(int milliseconds)
    {
        SharedTopic topic = CreateTopic(2, 10);
        using SharedTopicReader reader = topic.OpenReader();
        TimeSpan timeout = TimeSpan.FromMilliseconds(milliseconds);
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => SharedTopic.OpenWhenCreated(Name, timeout));
        topic.Validate();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100)]
    [InlineData(1023)]
    [InlineData(1 << 20)]
    public void A_capacity_is_found_again_in_the_size_of_the_region(int capacity)
    {
        foreach (int longest in (int[])[1, 8, 9, 64, 1000])
        {
            long size = TopicHeader.RegionSize(capacity, longest);
            Assert.Equal(capacity, TopicHeader.CapacityOf(size, longest));
            Assert.Null(TopicHeader.CapacityOf(size + 1, longest));
            Assert.NotEqual(capacity, TopicHeader.CapacityOf(size - TopicHeader.SlotSize(longest), longest));
        }

        Assert.Null(TopicHeader.CapacityOf(TopicHeader.RegionSize(capacity, 64), 0));
        Assert.Null(TopicHeader.CapacityOf(0, 64));
        Assert.Null(TopicHeader.CapacityOf(long.MaxValue, 1));
    }

    [Fact]
    public void A_name_leads_to_a_topic_of_the_same_size_or_is_refused()
    {
        SharedTopic topic = CreateTopic(4, 100);
        Assert.Contains(
            "a topic of 4 messages of up to 100 bytes", Assert.Throws<IOException>(() => CreateTopic(4, 100)).Message,
            StringComparison.Ordinal);
        foreach ((int capacity, int longest) in ((int, int)[])[(8, 100), (4, 101), (4, 5000)])
        {
            string text = Assert.Throws<IOException>(() => SharedTopic.CreateOrOpen(Name, capacity, longest)).Message;
            Assert.Contains(
                $"exists with 4 messages of up to 100 bytes, not {capacity} messages of up to {longest} bytes", text,
                StringComparison.Ordinal);
        }

        Assert.Contains("it is a topic", Assert.Throws<InvalidDataException>(Open).Message, StringComparison.Ordinal);
        Assert.Throws<InvalidDataException>(() => SharedRegion.Open(Name));
        using SharedTopic same = SharedTopic.CreateOrOpen(Name, 4, 100);
        using SharedTopic waited = SharedTopic.OpenWhenCreated(Name, TimeSpan.FromSeconds(60));
        Assert.Equal((topic.Id, topic.Id), (same.Id, waited.Id));
        Assert.Contains(SharedRegion.List(), region => region.Name == Name);
    }

    [Fact]
    public void A_name_that_leads_to_no_topic_is_refused()
    {
        Assert.Throws<FileNotFoundException>(OpenTopic);
        string text = Assert.Throws<TimeoutException>(
            () => SharedTopic.OpenWhenCreated(Name, TimeSpan.FromMilliseconds(10))).Message;
        Assert.Contains($"No process created the topic \"{Name}\"", text, StringComparison.Ordinal);
        Create(64);
        Assert.Contains("it is a ring", Assert.Throws<InvalidDataException>(OpenTopic).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-64)]
    [InlineData(63)]
    [InlineData((1 << 28) + 1)]
    [InlineData(int.MinValue)]
    public void A_header_whose_message_length_does_not_fit_its_size_is_refused(int longest)
    {
        CreateTopic(4, 64);
        string path = Path.Combine(NamedMemory.Current.Directory, RegionNames.ToFileName(Name));
        using (FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
        {
            file.Position = 76;
            file.Write(BitConverter.GetBytes(longest == 63 ? 6300 : longest));
        }

        string text = Assert.Throws<InvalidDataException>(OpenTopic).Message;
        Assert.Contains($"The topic \"{Name}\" cannot be opened", text, StringComparison.Ordinal);
    }
}
