using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Names of its own for each test of a topic, and nothing left of them.</summary>
public abstract class TopicTest : RingTest
{
    private protected static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    private protected SharedTopic CreateTopic(int capacity, int longest = 64) => Keep(SharedTopic.Create(Name, capacity, longest));

    private protected SharedTopic OpenTopic() => Keep(SharedTopic.Open(Name));

    /// <summary>Another process that has the topic open.</summary>
    private protected TopicChild TopicUser() => Keep(TopicChild.With(Name));

    /// <summary>Writes messages that their positions tell.</summary>
    private protected static void Write(SharedTopic topic, int count)
    {
        for (int i = 0; i < count; i++)
        {
            Assert.True(TopicWork.TryWrite(topic, TimeSpan.Zero), $"message {topic.Position} is written");
        }
    }

    /// <summary>The position of the next message, which must be whole; null if there is none.</summary>
    private protected static long? Read(SharedTopicReader reader, TimeSpan timeout = default) =>
        TopicWork.TryRead(reader, timeout) ? reader.Position - 1 : null;
}
