using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Names of its own for each test of a queue, and nothing left of them.</summary>
public abstract class QueueTest : RingTest
{
    private protected SharedQueue CreateQueue(int capacity, int longest = 64) =>
        Keep(SharedQueue.Create(Name, capacity, longest));

    private protected SharedQueue OpenQueue() => Keep(SharedQueue.Open(Name));

    /// <summary>Another process that has the queue open.</summary>
    private protected QueueChild QueueMember() => Keep(QueueChild.With(Name));

    private protected static byte[] Message(SharedQueue queue, long index, long generation = 0) =>
        QueueLog.Message(generation, index, queue.MaxMessageLength);

    /// <summary>The index of the next message, which must be whole; null if there is none.</summary>
    private protected static long? Read(SharedQueue queue, TimeSpan timeout = default)
    {
        byte[] bytes = new byte[queue.MaxMessageLength];
        return queue.Read(bytes, out int length, timeout)
            ? QueueLog.Identify(bytes.AsSpan(0, length), queue.MaxMessageLength).Index
            : null;
    }
}
