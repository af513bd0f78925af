namespace Tarn.Traces;

/// <summary>The part of a trace file's body that only version 2 has. <see cref="TraceFile"/> describes its format.</summary>
internal static class DetailsBody
{
    /// <summary>All flags of a cut.</summary>
    internal const uint MostCut = 63;

    private const int CutAt = 2;

    internal static void Encode(VarintWriter writer, BufferTrace trace, TraceDetails details)
    {
        writer.Write((ulong)details.ProcessId);
        writer.Write((details.IsFromStart ? 1UL : 0) | (details.HasEnded ? 2UL : 0) | ((ulong)details.Cut << CutAt));
        writer.Write((ulong)Math.Max(0, details.EndMicroseconds));
        WritePools(writer, details.Pools);
        WriteStacks(writer, details.Stacks);
        foreach (BufferEvent one in trace.Events)
        {
            writer.Write((ulong)one.Stack);
        }

        writer.Write((ulong)details.Actions.Count);
        long time = 0;
        foreach (PoolAction one in details.Actions)
        {
            writer.Write((ulong)one.Kind);
            writer.Write(ZigZag(one.Microseconds - time));
            time = one.Microseconds;
            writer.Write((ulong)one.Thread);
            writer.Write((ulong)one.Pool);
            writer.Write((ulong)one.Length);
            writer.Write((ulong)one.Stack);
            writer.Write((ulong)one.EarlierStack);
            writer.Write((ulong)one.Reason);
        }

        WriteRest(writer, details);
    }

    /// <param name="reader">Stands behind the events.</param>
    /// <param name="events">The events, which receive their stacks.</param>
    internal static TraceDetails Decode(ref VarintReader reader, BufferEvent[] events)
    {
        int process = (int)reader.Read("process id", int.MaxValue);
        ulong flags = reader.Read("set of flags", (MostCut << CutAt) | 3);
        long end = (long)reader.Read("end", TraceDetails.MostMicroseconds);
        List<TracedPool> pools = ReadPools(ref reader);
        StackTable stacks = ReadStacks(ref reader);
        for (int index = 0; index < events.Length; index++)
        {
            events[index] = events[index] with { Stack = (int)reader.Read("stack", StackTable.Most) };
        }

        List<PoolAction> actions = ReadActions(ref reader);
        stacks = ReadTests(ref reader, stacks);
        pools = ReadNames(ref reader, pools);
        long begin = reader.Remaining == 0 ? 0 : -(long)reader.Read("begin", TraceDetails.MostMicroseconds);
        return new TraceDetails
        {
            ProcessId = process,
            IsFromStart = (flags & 1) != 0,
            HasEnded = (flags & 2) != 0,
            Cut = (RecordingCut)(flags >> CutAt),
            BeginMicroseconds = begin,
            EndMicroseconds = end,
            Pools = pools,
            Stacks = stacks,
            Actions = actions,
        };
    }

    private static void WritePools(VarintWriter writer, IReadOnlyList<TracedPool> pools)
    {
        writer.Write((ulong)pools.Count);
        foreach (TracedPool pool in pools)
        {
            writer.Write(pool.Source);
            writer.Write((uint)pool.Id);
            writer.Write(pool.Element);
        }
    }

    private static List<TracedPool> ReadPools(ref VarintReader reader)
    {
        List<TracedPool> pools = [];
        for (ulong left = reader.Read("number of pools", (ulong)(reader.Remaining / 3)); left > 0; left--)
        {
            string source = reader.ReadText("event source");
            int id = (int)(uint)reader.Read("pool id", uint.MaxValue);
            pools.Add(new TracedPool(source, id, reader.ReadText("element type")));
        }

        return pools;
    }

    private static void WriteStacks(VarintWriter writer, StackTable stacks)
    {
        writer.Write((ulong)stacks.Frames.Count);
        foreach (StackFrame frame in stacks.Frames)
        {
            writer.Write(frame.Method);
            writer.Write(frame.Module);
            writer.Write(frame.File);
            writer.Write((ulong)frame.Line);
        }

        writer.Write((ulong)(stacks.Nodes.Length - 1));
        for (int index = 1; index < stacks.Nodes.Length; index++)
        {
            writer.Write((ulong)stacks.Nodes[index].Caller);
            writer.Write((ulong)stacks.Nodes[index].Frame);
        }
    }

    private static StackTable ReadStacks(ref VarintReader reader)
    {
        List<StackFrame> frames = [];
        for (ulong left = reader.Read("number of frames", (ulong)(reader.Remaining / 4)); left > 0; left--)
        {
            string method = reader.ReadText("method");
            string module = reader.ReadText("module");
            string file = reader.ReadText("source file");
            frames.Add(new StackFrame(method, module, file, (int)reader.Read("line", int.MaxValue)));
        }

        List<StackNode> nodes = [];
        for (ulong left = reader.Read("number of stacks", (ulong)(reader.Remaining / 2)); left > 0; left--)
        {
            int caller = (int)reader.Read("caller", StackTable.Most);
            nodes.Add(new StackNode(caller, (int)reader.Read("frame", StackTable.Most)));
        }

        return new StackTable(frames, nodes);
    }

    /// <summary>
    /// The frames that are of tests, the names of pools and the begin, as far as there are any: what is missing at the end is empty.
    /// </summary>
    private static void WriteRest(VarintWriter writer, TraceDetails details)
    {
        (int Index, StackFrame Frame)[] tests = [.. details.Stacks.Frames.Index().Where(one => one.Item.Test.Length > 0)];
        bool hasBegin = details.BeginMicroseconds != 0;
        bool hasNames = hasBegin || details.Pools.Any(pool => pool.Name.Length > 0);
        if (tests.Length == 0 && !hasNames)
        {
            return;
        }

        writer.Write((ulong)tests.Length);
        foreach ((int index, StackFrame frame) in tests)
        {
            writer.Write((ulong)index);
            writer.Write(frame.Test);
        }

        foreach (TracedPool pool in hasNames ? details.Pools : [])
        {
            writer.Write(pool.Name);
        }

        if (hasBegin)
        {
            writer.Write((ulong)-details.BeginMicroseconds);
        }
    }

    private static List<TracedPool> ReadNames(ref VarintReader reader, List<TracedPool> pools)
    {
        for (int index = 0; reader.Remaining > 0 && index < pools.Count; index++)
        {
            pools[index] = pools[index] with { Name = reader.ReadText("name of a pool") };
        }

        return pools;
    }

    private static StackTable ReadTests(ref VarintReader reader, StackTable stacks)
    {
        if (reader.Remaining == 0)
        {
            return stacks;
        }

        StackFrame[] frames = [.. stacks.Frames];
        for (ulong left = reader.Read("number of tests", (ulong)frames.Length); left > 0; left--)
        {
            int index = (int)reader.Read("frame", StackTable.Most);
            if (index >= frames.Length)
            {
                throw new InvalidDataException($"The details of the trace are invalid: a test has frame {index} of {frames.Length}.");
            }

            frames[index] = frames[index] with { Test = reader.ReadText("test") };
        }

        return new StackTable(frames, stacks.Nodes[1..].ToArray());
    }

    private static List<PoolAction> ReadActions(ref VarintReader reader)
    {
        List<PoolAction> actions = [];
        long time = 0;
        for (ulong left = reader.Read("number of actions", (ulong)(reader.Remaining / 8)); left > 0; left--)
        {
            var kind = (PoolActionKind)reader.Read("kind of action", (ulong)PoolActionKind.ReturnedAgain);
            ulong step = reader.Read("time", 1UL << 62);
            time = unchecked(time + ((long)(step >> 1) ^ -(long)(step & 1)));
            int thread = (int)reader.Read("thread", (2 * BufferTrace.MostThreads) - 1);
            int pool = (int)reader.Read("pool", int.MaxValue);
            int length = (int)reader.Read("length", int.MaxValue);
            actions.Add(new PoolAction(kind, time, thread, pool, length)
            {
                Stack = (int)reader.Read("stack", StackTable.Most),
                EarlierStack = (int)reader.Read("stack", StackTable.Most),
                Reason = (int)reader.Read("reason", int.MaxValue),
            });
        }

        return actions;
    }

    private static ulong ZigZag(long value) => (ulong)((value << 1) ^ (value >> 63));
}
