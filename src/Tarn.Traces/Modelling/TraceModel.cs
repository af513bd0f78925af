namespace Tarn.Traces;

/// <summary>
/// The shape of a trace as distributions, from which traces of the same shape and any length can be generated. Generating does not change
/// the model. One thread at a time may use it.
/// </summary>
/// <remarks>
/// <para>From the rents whose return was recorded, the model knows which thread rents after which; the lengths that each thread rents; the
/// time between a rent and the next one of any thread (bursts are many short times and few long ones); how long buffers of each length are
/// held; and which thread returns the buffers of another. It knows times by powers of two.</para>
/// <para>It does not know pools, or dependencies on more than the previous rent: a generated trace has phases of a size or a length only by
/// chance.</para>
/// </remarks>
public sealed class TraceModel
{
    private readonly string _program;
    private readonly Distribution _threads = new();
    private readonly Distribution _lengths = new();
    private readonly Distribution _gaps = new();
    private readonly Distribution _holds = new();
    private readonly Dictionary<int, Distribution> _nextThread = [];
    private readonly Dictionary<int, Distribution> _lengthsOfThread = [];
    private readonly Dictionary<int, Distribution> _holdsOfLength = [];
    private readonly Dictionary<int, Distribution> _returnsOfThread = [];

    private TraceModel(string program) => _program = program;

    /// <summary>The number of rents it was made from.</summary>
    public long Rents => _lengths.Total;

    /// <summary>Creates the model of a trace.</summary>
    public static TraceModel Of(BufferTrace trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        var model = new TraceModel(trace.Origin.Program);
        ReadOnlySpan<BufferEvent> events = trace.Events;
        var isReturned = new bool[events.Length];
        foreach (BufferEvent one in events)
        {
            if (!one.IsRent)
            {
                isReturned[one.Rent] = true;
            }
        }

        BufferEvent? first = null;
        BufferEvent? before = null;
        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent one = events[index];
            if (!one.IsRent)
            {
                model.AddReturn(events[one.Rent], one);
            }
            else if (isReturned[index])
            {
                model.AddRent(before, one);
                first ??= one;
                before = one;
            }
        }

        // The end is followed by the beginning, so threads that work only for a while return as often as they appeared.
        if (first is { } start && before is { } end)
        {
            At(model._nextThread, end.Thread).Add(start.Thread);
        }

        return model;
    }

    /// <summary>Generates a trace of this shape, the same for the same seed. It returns every buffer that it rents.</summary>
    /// <param name="events">The number of events, rounded down to an even number.</param>
    /// <param name="seed">The seed of the random numbers.</param>
    /// <exception cref="InvalidOperationException">The model was made from a trace without returned buffers.</exception>
    public BufferTrace Generate(int events, int seed)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(events);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(events, BufferTrace.MostEvents);
        if (Rents == 0)
        {
            throw new InvalidOperationException(
                $"Cannot generate from the trace of {_program}: no buffer was rented and returned in it.");
        }

        var generator = new TraceGenerator(new Random(seed));
        int thread = _threads.Draw(generator.Random);
        for (int rents = 0; rents < events / 2; rents++)
        {
            generator.Rent(
                thread,
                _lengthsOfThread[thread].Draw(generator.Random),
                length => TimeBuckets.Draw(_holdsOfLength[length].Draw(generator.Random), generator.Random),
                _returnsOfThread[thread].Draw(generator.Random));
            generator.Pass(_gaps.Total == 0 ? 0 : TimeBuckets.Draw(_gaps.Draw(generator.Random), generator.Random));
            thread = _nextThread[thread].Draw(generator.Random);
        }

        return new BufferTrace(
            new TraceOrigin
            {
                Program = _program,
                Command = "",
                Runtime = "",
                How = $"generated, seed {seed}",
                RecordedAt = DateTimeOffset.UnixEpoch,
            },
            generator.Finish());
    }

    /// <summary>
    /// Returns the distance between two models: the largest total variation distance of their distributions of lengths, times between
    /// rents, times held, threads and hand-overs. 0 means equal, and 1 means nothing in common.
    /// </summary>
    /// <remarks>Threads are compared by their share of the work, because their numbers depend on the order of appearance.</remarks>
    public double DistanceTo(TraceModel other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return new[]
        {
            _lengths.DistanceTo(other._lengths),
            _gaps.DistanceTo(other._gaps),
            _holds.DistanceTo(other._holds),
            ThreadDistance(other),
            Math.Abs(HandedOver - other.HandedOver),
            Math.Abs(SameThread - other.SameThread),
        }.Max(distance => Math.Min(1, distance));
    }

    /// <summary>The share of buffers that another thread returns.</summary>
    internal double HandedOver => _returnsOfThread.Sum(one => (1 - one.Value.ShareOf(one.Key)) * _threads.ShareOf(one.Key));

    /// <summary>The share of rents that the same thread follows with the next rent.</summary>
    internal double SameThread => _nextThread.Sum(one => one.Value.ShareOf(one.Key) * _threads.ShareOf(one.Key));

    private double ThreadDistance(TraceModel other)
    {
        double[] ours = [.. _threads.Values.Select(_threads.ShareOf).OrderDescending()];
        double[] theirs = [.. other._threads.Values.Select(other._threads.ShareOf).OrderDescending()];
        double sum = 0;
        for (int index = 0; index < Math.Max(ours.Length, theirs.Length); index++)
        {
            sum += Math.Abs(ours.ElementAtOrDefault(index) - theirs.ElementAtOrDefault(index));
        }

        return sum / 2;
    }

    private void AddRent(BufferEvent? before, BufferEvent rent)
    {
        _threads.Add(rent.Thread);
        _lengths.Add(rent.Length);
        At(_lengthsOfThread, rent.Thread).Add(rent.Length);
        if (before is { } last)
        {
            _gaps.Add(TimeBuckets.Of(rent.Microseconds - last.Microseconds));
            At(_nextThread, last.Thread).Add(rent.Thread);
        }
    }

    private void AddReturn(BufferEvent rent, BufferEvent back)
    {
        int hold = TimeBuckets.Of(back.Microseconds - rent.Microseconds);
        _holds.Add(hold);
        At(_holdsOfLength, rent.Length).Add(hold);
        At(_returnsOfThread, rent.Thread).Add(back.Thread);
    }

    private static Distribution At(Dictionary<int, Distribution> all, int key)
    {
        if (!all.TryGetValue(key, out Distribution? one))
        {
            all.Add(key, one = new Distribution());
        }

        return one;
    }
}
