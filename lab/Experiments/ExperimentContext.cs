using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments;

/// <summary>The settings of this run, and the receiver of an experiment's progress.</summary>
internal sealed class ExperimentContext(bool isFull, int seed, string outputDirectory, Machine machine, Action<double> reportProgress)
{
    /// <summary>The seed of a run if the user chooses none.</summary>
    public const int DefaultSeed = 20_261_121;

    /// <summary>The same run, for one of several equal parts of an experiment: its progress counts as that share of the whole.</summary>
    public ExperimentContext Part(int number, int count) =>
        new(IsFull, seed, OutputDirectory, machine, fraction => Report((number - 1 + fraction) / count));

    public bool IsFull { get; } = isFull;

    /// <summary>For files an experiment's tools write beside the report.</summary>
    public string OutputDirectory { get; } = outputDirectory;

    /// <summary>Rounds on one thread.</summary>
    public RoundSettings Rounds { get; } = isFull ? new(201, TimeSpan.FromMilliseconds(5)) : new(41, TimeSpan.FromMilliseconds(3));

    /// <summary>Rounds on many threads: long enough for the scheduler to take turns among more threads than cores.</summary>
    public RoundSettings CrewRounds { get; } = isFull ? new(41, TimeSpan.FromMilliseconds(100)) : new(9, TimeSpan.FromMilliseconds(45));

    /// <summary>
    /// Rounds of handing over: many and short, because two threads that wait for each other suffer most from other programs.
    /// </summary>
    public RoundSettings HandoverRounds { get; } = isFull
        ? new(201, TimeSpan.FromMilliseconds(20))
        : new(51, TimeSpan.FromMilliseconds(12));

    /// <summary>The sizes of the processor's caches, as marks on a size axis.</summary>
    public IReadOnlyList<Mark> CacheMarks { get; } =
    [
        .. new Mark[] { new(machine.L1DataBytes, "L1"), new(machine.L2Bytes, "L2"), new(machine.L3Bytes, "L3") }.Where(mark => mark.X > 0),
    ];

    /// <summary>
    /// Creates random numbers that do not depend on which other experiments run, so that <c>--only</c> repeats the work of a whole run.
    /// </summary>
    public Random CreateRandom() => new(seed);

    /// <summary>For work that has seeds of its own: 0 unless the user chose a seed.</summary>
    public int SeedOffset { get; } = seed - DefaultSeed;

    /// <summary>Reports the progress, from 0 to 1.</summary>
    public void Report(double fraction) => reportProgress(fraction);
}
