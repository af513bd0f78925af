namespace Tarn.SharedMemory;

/// <summary>How many messages a queue or a topic may hold, and how long they may be.</summary>
internal static class SlotLimits
{
    internal const int MostCapacity = 1 << 20;

    internal const int MostLength = 1 << 28;

    /// <exception cref="ArgumentOutOfRangeException">One of them is outside its limits.</exception>
    internal static void ThrowUnlessInside(int capacity, int maxMessageLength)
    {
        if (capacity is <= 0 or > MostCapacity)
        {
            throw new ArgumentOutOfRangeException(
                nameof(capacity), capacity, $"The capacity must lie between 1 and {MostCapacity} messages.");
        }

        if (maxMessageLength is <= 0 or > MostLength)
        {
            throw new ArgumentOutOfRangeException(
                nameof(maxMessageLength), maxMessageLength,
                $"The length of the longest message must lie between 1 and {MostLength} bytes.");
        }
    }
}
