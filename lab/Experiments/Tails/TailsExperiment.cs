using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Calls;

namespace Tarn.Lab.Experiments.Tails;

/// <summary>How long the slowest calls take: single calls timed one by one, on more threads than processors.</summary>
internal sealed class TailsExperiment : IExperiment
{
    private const string Group = "The slowest calls";
    private const int ThreadsPerProcessor = 2;
    private const double Target = 1;

    public string Id => "tails";

    public string Title => "The slowest calls";

    public double QuickSeconds => 9;

    public double FullSeconds => 90;

    public ExperimentResult Run(ExperimentContext context)
    {
        using var crew = new Crew(ThreadsPerProcessor * Environment.ProcessorCount);
        Random random = context.CreateRandom();
        using var contenders = new TailContenders(crew.Size, random);
        RoundSettings settings = context.IsFull ? new(101, TimeSpan.FromMilliseconds(60)) : new(9, TimeSpan.FromMilliseconds(50));
        return CreateResult(TailRun.Measure(contenders.All, crew, settings, random, context.Report), crew.Size);
    }

    /// <param name="rounds">The timer alone first, then each kind of call, ours before its peers.</param>
    /// <param name="threads">The number of threads that made the calls.</param>
    internal ExperimentResult CreateResult(IReadOnlyList<CallRounds> rounds, int threads) =>
        new(TailsSection.Create(Id, Title, rounds, threads))
        {
            Comparisons = [.. CallKinds.All.SelectMany(kind => Compare([.. rounds.Where(one => one.Kind == kind)]))],
            Figures =
            [
                .. CallKinds.All.Select(kind => rounds.First(one => one.Kind == kind)).Select(ours => new Figure
                {
                    Id = $"{Id}-{IdOf(ours)}-late",
                    Title = $"{ours.Kind}: the time that one call in ten thousand exceeds",
                    Value = Clock.Nanoseconds(0, 1) * ours.Times.Kept.Percentile(TailsSection.Late),
                    Unit = "ns",
                }),
            ],
        };

    /// <summary>Compares each of ours with each peer.</summary>
    private IEnumerable<Comparison> Compare(CallRounds[] rounds) =>
        from ours in rounds.Where(IsOurs)
        from peer in rounds.Where(one => !IsOurs(one))
        let disturbed = ours.Contender.EndsWith(TailContenders.Disturbed, StringComparison.Ordinal)
        select CallRounds.LateOf(ours, peer).Compare(
            0,
            1,
            $"{Id}-{IdOf(ours)}-{(disturbed ? "disturbed-" : "")}{NativeNames.Id(peer.Contender)}",
            Group,
            $"{ours.Kind}{(disturbed ? TailContenders.Disturbed : "")}: the time that one call in a thousand exceeds, against "
                + peer.Contender,
            disturbed ? null : Target);

    private static bool IsOurs(CallRounds rounds) => PoolNames.RoleOf(rounds.Contender) == SeriesRole.Ours;

    private static string IdOf(CallRounds rounds) => rounds.Kind.ToLowerInvariant();
}
