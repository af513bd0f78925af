using Tarn.Traces;

namespace Tarn.Lab.Tests.Traces;

/// <summary>Traces that tests make.</summary>
internal static class TraceSamples
{
    public static TraceOrigin Origin { get; } = new()
    {
        Program = "sample",
        Command = "sample --größe 1",
        Runtime = ".NET 10.0.0",
        How = "attached",
        RecordedAt = DateTimeOffset.FromUnixTimeMilliseconds(1_790_000_000_123),
        LostEvents = 3,
        UnmatchedReturns = 2,
        Allocated = 5,
        Dropped = 1,
    };

    /// <summary>Threads that rent, return and hand over at random; some buffers are never returned.</summary>
    public static BufferTrace Random(int seed, int events, int threads = 3, int mostOpen = 40)
    {
        var random = new Random(seed);
        var all = new List<BufferEvent>();
        var open = new List<int>();
        int seenThreads = 0;
        int seenPools = 0;
        long time = 0;
        while (all.Count < events)
        {
            time += random.Next(4) == 0 ? random.Next(1_000) : random.Next(3);
            // Numbers must be dense from the first event on.
            int thread = Math.Min(random.Next(threads), seenThreads);
            seenThreads = Math.Max(seenThreads, thread + 1);
            if (open.Count > 0 && random.Next(mostOpen) < open.Count)
            {
                int at = random.Next(open.Count);
                BufferEvent rent = all[open[at]];
                all.Add(new BufferEvent(time, thread, rent.Pool, rent.Length, open[at]));
                open.RemoveAt(at);
            }
            else
            {
                int pool = Math.Min(random.Next(2), seenPools);
                seenPools = Math.Max(seenPools, pool + 1);
                open.Add(all.Count);
                all.Add(new BufferEvent(time, thread, pool, 16 << random.Next(12), BufferEvent.None));
            }
        }

        return new BufferTrace(Origin, all);
    }

    public static BufferEvent Rent(int thread = 0, int length = 16, long time = 0, int pool = 0) =>
        new(time, thread, pool, length, BufferEvent.None);

    public static BufferEvent Return(int rent, int thread = 0, int length = 16, long time = 0, int pool = 0) =>
        new(time, thread, pool, length, rent);
}
