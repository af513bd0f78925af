namespace Tarn.Traces;

/// <summary>The unpacked body of a trace file. <see cref="TraceFile"/> describes its format.</summary>
internal static class TraceBody
{
    internal const int MostBytes = 256 << 20;

    internal static byte[] Encode(BufferTrace trace)
    {
        var writer = new VarintWriter();
        TraceOrigin origin = trace.Origin;
        writer.Write(origin.Program);
        writer.Write(origin.Command);
        writer.Write(origin.Runtime);
        writer.Write(origin.How);
        writer.Write((ulong)Math.Max(0, origin.RecordedAt.ToUnixTimeMilliseconds()));
        writer.Write((ulong)origin.LostEvents);
        writer.Write((ulong)origin.UnmatchedReturns);
        writer.Write((ulong)origin.Allocated);
        writer.Write((ulong)origin.Dropped);

        ReadOnlySpan<BufferEvent> events = trace.Events;
        writer.Write((ulong)events.Length);
        int thread = 0;
        foreach (BufferEvent one in events)
        {
            int step = one.Thread - thread;
            writer.Write((uint)((step << 1) ^ (step >> 31)));
            thread = one.Thread;
        }

        long time = 0;
        foreach (BufferEvent one in events)
        {
            writer.Write((ulong)(one.Microseconds - time));
            time = one.Microseconds;
        }

        for (int index = 0; index < events.Length; index++)
        {
            writer.Write(events[index].IsRent ? 0 : (ulong)(index - events[index].Rent));
        }

        foreach (BufferEvent one in events)
        {
            if (one.IsRent)
            {
                writer.Write((ulong)one.Pool);
            }
        }

        foreach (BufferEvent one in events)
        {
            if (one.IsRent)
            {
                writer.Write((ulong)one.Length);
            }
        }

        if (trace.Details is { } details)
        {
            DetailsBody.Encode(writer, trace, details);
        }

        return writer.ToArray();
    }

    /// <param name="body">The unpacked body.</param>
    /// <param name="hasDetails">Whether it is of version 2.</param>
    /// <exception cref="InvalidDataException">The body ends too early or too late, or contains an invalid value.</exception>
    internal static BufferTrace Decode(byte[] body, bool hasDetails = false)
    {
        var reader = new VarintReader(body);
        var origin = new TraceOrigin
        {
            Program = reader.ReadText("program"),
            Command = reader.ReadText("command"),
            Runtime = reader.ReadText("runtime"),
            How = reader.ReadText("way of recording"),
            RecordedAt = DateTimeOffset.FromUnixTimeMilliseconds(
                (long)reader.Read("date", (ulong)DateTimeOffset.MaxValue.ToUnixTimeMilliseconds())),
            LostEvents = (long)reader.Read("number of lost events", long.MaxValue),
            UnmatchedReturns = (long)reader.Read("number of unmatched returns", long.MaxValue),
            Allocated = (long)reader.Read("number of allocations", long.MaxValue),
            Dropped = (long)reader.Read("number of drops", long.MaxValue),
        };

        // Each event takes at least three bytes, which bounds the allocation for a short file.
        int count = (int)reader.Read("number of events", (ulong)Math.Min(BufferTrace.MostEvents, reader.Remaining / 3));
        var events = new BufferEvent[count];
        ReadThreads(ref reader, events);
        ReadTimes(ref reader, events);
        ReadRents(ref reader, events);
        TraceDetails? details = hasDetails ? DetailsBody.Decode(ref reader, events) : null;
        reader.DemandEnd();
        return new BufferTrace(origin, events, details);
    }

    private static void ReadThreads(ref VarintReader reader, BufferEvent[] events)
    {
        long thread = 0;
        for (int index = 0; index < events.Length; index++)
        {
            ulong step = reader.Read("thread", uint.MaxValue);
            thread += (long)(step >> 1) ^ -(long)(step & 1);
            if (thread is < 0 or >= BufferTrace.MostThreads)
            {
                throw new InvalidDataException($"Event {index} of the trace is invalid: its thread is {thread}.");
            }

            events[index] = events[index] with { Thread = (int)thread };
        }
    }

    private static void ReadTimes(ref VarintReader reader, BufferEvent[] events)
    {
        long time = 0;
        for (int index = 0; index < events.Length; index++)
        {
            time += (long)reader.Read("time", (ulong)(TraceDetails.MostMicroseconds - time));
            events[index] = events[index] with { Microseconds = time };
        }
    }

    private static void ReadRents(ref VarintReader reader, BufferEvent[] events)
    {
        for (int index = 0; index < events.Length; index++)
        {
            ulong distance = reader.Read("back reference", (ulong)index);
            events[index] = events[index] with { Rent = distance == 0 ? BufferEvent.None : index - (int)distance };
        }

        for (int index = 0; index < events.Length; index++)
        {
            if (events[index].IsRent)
            {
                events[index] = events[index] with { Pool = (int)reader.Read("pool", BufferTrace.MostThreads - 1) };
            }
        }

        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent one = events[index];
            events[index] = one.IsRent
                ? one with { Length = (int)reader.Read("length", int.MaxValue) }
                : one with { Pool = events[one.Rent].Pool, Length = events[one.Rent].Length };
        }
    }
}
