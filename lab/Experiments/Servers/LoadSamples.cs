using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>What was found under one load, by contender and round.</summary>
internal sealed class LoadSamples(ServerLoad load, IReadOnlyList<string> contenders, int rounds)
{
    private readonly double[][] _times = Create(contenders.Count, rounds);
    private readonly double[][] _processor = Create(contenders.Count, rounds);
    private readonly double[][] _late = Create(contenders.Count, rounds);
    private readonly double[][] _allocated = Create(contenders.Count, rounds);
    private readonly double[][] _generator = Create(contenders.Count, rounds);

    public ServerLoad Load { get; } = load;

    /// <summary>Nanoseconds from one answer to the next.</summary>
    public RoundSamples Times => new(contenders, _times);

    /// <summary>Nanoseconds of the server's processor time for a request.</summary>
    public RoundSamples Processor => new(contenders, _processor);

    /// <summary>The 99th percentile of the time for a request, in nanoseconds.</summary>
    public RoundSamples Late => new(contenders, _late);

    /// <summary>Bytes that the server allocated for a request.</summary>
    public RoundSamples Allocated => new(contenders, _allocated);

    /// <summary>Nanoseconds of the generator's processor time for a request; NaN where the system does not tell.</summary>
    public RoundSamples Generator => new(contenders, _generator);

    /// <summary>Requests answered, of all contenders.</summary>
    public long Answered { get; private set; }

    /// <summary>Requests that were not answered with success, of all contenders.</summary>
    public long Failures { get; private set; }

    /// <summary>Adds a round, given the server's counters before and after it.</summary>
    public void Add(int round, int contender, LoadFound found, ServerCounters before, ServerCounters after)
    {
        _times[contender][round] = found.Nanoseconds;
        _late[contender][round] = found.LateNanoseconds;
        double requests = Math.Max(1, after.Requests - before.Requests);
        _processor[contender][round] = (after.ProcessorNanoseconds - before.ProcessorNanoseconds) / requests;
        _allocated[contender][round] = (after.AllocatedBytes - before.AllocatedBytes) / requests;
        _generator[contender][round] = found.GeneratorNanoseconds / requests;
        Answered += after.Requests - before.Requests;
        Failures += found.Failures;
    }

    private static double[][] Create(int contenders, int rounds) => [.. Enumerable.Range(0, contenders).Select(_ => new double[rounds])];
}
