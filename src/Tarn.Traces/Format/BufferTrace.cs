namespace Tarn.Traces;

/// <summary>
/// The rents and returns of a program's array pools: the events of all threads in one order. Immutable and safe to share.
/// </summary>
/// <remarks>
/// The constructor verifies these rules for every trace: time does not run backwards; a return names an earlier rent that no other return
/// names, of the same pool and length; lengths are at least 1; thread and pool numbers are dense, and each is first used after the previous
/// one.
/// </remarks>
public sealed class BufferTrace
{
    /// <summary>The most events of a trace: 2^22.</summary>
    public const int MostEvents = 1 << 22;

    /// <summary>The most threads, and the most pools, of a trace: 2^16.</summary>
    public const int MostThreads = 1 << 16;

    private readonly BufferEvent[] _events;

    /// <summary>Creates a trace from events in the order they happened.</summary>
    /// <param name="origin">The origin of the trace.</param>
    /// <param name="events">The events, which are copied.</param>
    /// <param name="details">What else was recorded; null in a trace that is only for replays.</param>
    /// <exception cref="InvalidDataException">The events break a rule; the message names the event and the rule.</exception>
    public BufferTrace(TraceOrigin origin, IEnumerable<BufferEvent> events, TraceDetails? details = null)
    {
        ArgumentNullException.ThrowIfNull(origin);
        ArgumentNullException.ThrowIfNull(events);
        Origin = origin;
        Details = details;
        _events = [.. events];
        (Threads, Pools, Returned) = Verify(_events);
        details?.Verify(this);
    }

    /// <summary>The origin of the trace.</summary>
    public TraceOrigin Origin { get; }

    /// <summary>What else was recorded: stacks, and what the pools did by themselves. Null in a trace that is only for replays.</summary>
    public TraceDetails? Details { get; }

    /// <summary>The number of threads.</summary>
    public int Threads { get; }

    /// <summary>The number of pools.</summary>
    public int Pools { get; }

    /// <summary>The number of buffers returned.</summary>
    public int Returned { get; }

    /// <summary>The number of buffers rented.</summary>
    public int Rented => _events.Length - Returned;

    /// <summary>All events in order.</summary>
    public ReadOnlySpan<BufferEvent> Events => _events;

    /// <summary>The time from the first event to the last.</summary>
    public TimeSpan Duration => _events.Length == 0 ? TimeSpan.Zero : TimeSpan.FromMicroseconds(_events[^1].Microseconds);

    private static (int Threads, int Pools, int Returned) Verify(BufferEvent[] events)
    {
        Demand(events.Length <= MostEvents, events.Length, $"there are more than {MostEvents} events");
        int threads = 0;
        int pools = 0;
        int returned = 0;
        long time = 0;
        var isReturned = new bool[events.Length];
        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent one = events[index];
            Demand(one.Microseconds >= time, index, "its time is before that of the event before it");
            Demand(
                (uint)one.Thread <= (uint)threads && threads <= MostThreads, index, $"thread {one.Thread} comes before thread {threads}");
            Demand((uint)one.Pool <= (uint)pools && pools <= MostThreads, index, $"pool {one.Pool} comes before pool {pools}");
            Demand(one.Length >= 1, index, $"its length is {one.Length}");
            if (!one.IsRent)
            {
                Demand(
                    (uint)one.Rent < (uint)index && events[one.Rent].IsRent,
                    index,
                    $"it returns event {one.Rent}, which is no earlier rent");
                Demand(!isReturned[one.Rent], index, $"it returns event {one.Rent}, which was returned before");
                BufferEvent rent = events[one.Rent];
                Demand(
                    (one.Pool, one.Length) == (rent.Pool, rent.Length),
                    index,
                    $"its pool or length differs from that of its rent, event {one.Rent}");
                isReturned[one.Rent] = true;
                returned++;
            }

            time = one.Microseconds;
            threads = Math.Max(threads, one.Thread + 1);
            pools = Math.Max(pools, one.Pool + 1);
        }

        return (threads, pools, returned);
    }

    private static void Demand(bool holds, int index, string rule)
    {
        if (!holds)
        {
            throw new InvalidDataException($"Event {index} of the trace is invalid: {rule}.");
        }
    }
}
