namespace Tarn.Traces;

/// <summary>What a recording for a diagnosis holds besides rents and returns. Immutable and safe to share.</summary>
public sealed record TraceDetails
{
    /// <summary>The longest time in a recording, which all that its events can span fits in: 2^54 microseconds.</summary>
    internal const long MostMicroseconds = 1L << 54;

    /// <summary>The recorded process.</summary>
    public required int ProcessId { get; init; }

    /// <summary>Whether the process was recorded from its first instruction, so that no buffer was rented before.</summary>
    public required bool IsFromStart { get; init; }

    /// <summary>Whether the recording ended because the process did, so that no buffer can be returned afterwards.</summary>
    public required bool HasEnded { get; init; }

    /// <summary>What the recording lacks of the process, besides events that the runtime dropped.</summary>
    public RecordingCut Cut { get; init; }

    /// <summary>The begin of the recording, in microseconds since the first event: zero, or negative.</summary>
    public long BeginMicroseconds { get; init; }

    /// <summary>The end of the recording, in microseconds since the first event.</summary>
    public required long EndMicroseconds { get; init; }

    /// <summary>The stacks that events and actions refer to.</summary>
    public required StackTable Stacks { get; init; }

    /// <summary>The pools, by their numbers in events and actions.</summary>
    public required IReadOnlyList<TracedPool> Pools { get; init; }

    /// <summary>What the pools did besides renting and taking back, in order of time.</summary>
    public required IReadOnlyList<PoolAction> Actions { get; init; }

    /// <exception cref="InvalidDataException">A stack, pool or thread is not in the trace; the message names it.</exception>
    internal void Verify(BufferTrace trace)
    {
        Demand(Pools.Count >= trace.Pools, $"it names {Pools.Count} of {trace.Pools} pools");
        Demand(((uint)Cut & ~DetailsBody.MostCut) == 0, $"its cut is {(int)Cut}");
        Demand(BeginMicroseconds is >= -MostMicroseconds and <= 0, $"its begin is {BeginMicroseconds}");
        Demand(EndMicroseconds is >= 0 and <= MostMicroseconds, $"its end is {EndMicroseconds}");
        int stacks = Stacks.Nodes.Length;
        foreach (BufferEvent one in trace.Events)
        {
            Demand((uint)one.Stack < (uint)stacks, $"an event has stack {one.Stack} of {stacks}");
        }

        foreach (PoolAction one in Actions)
        {
            Demand((uint)one.Stack < (uint)stacks, $"an action has stack {one.Stack} of {stacks}");
            Demand((uint)one.EarlierStack < (uint)stacks, $"an action has stack {one.EarlierStack} of {stacks}");
            Demand((uint)one.Pool < (uint)Pools.Count, $"an action has pool {one.Pool} of {Pools.Count}");
            Demand((uint)one.Thread < (uint)(2 * BufferTrace.MostThreads), $"an action has thread {one.Thread}");
            Demand(
                one.Microseconds is >= -MostMicroseconds and <= MostMicroseconds, $"an action has time {one.Microseconds}");
            Demand(one.Length >= 0, $"an action has length {one.Length}");
            Demand(Enum.IsDefined(one.Kind), $"an action has kind {(int)one.Kind}");
        }
    }

    private static void Demand(bool holds, string fault)
    {
        if (!holds)
        {
            throw new InvalidDataException($"The details of the trace are invalid: {fault}.");
        }
    }
}
