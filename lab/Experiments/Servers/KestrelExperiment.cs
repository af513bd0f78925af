using Tarn.Lab.Contenders;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>Kestrel with its own memory pool and with Tarn's, under load generators that others wrote.</summary>
internal sealed class KestrelExperiment : IExperiment
{
    private const string Group = "Kestrel under load";
    private const double MemoryBound = 1.1;

    public string Id => "kestrel";

    public string Title => "A web server's memory pool";

    public double QuickSeconds => 180;

    public double FullSeconds => 870;

    public ExperimentResult Run(ExperimentContext context) => ToResult(KestrelMeasurements.Take(context), LoadGenerator.Missing);

    internal ExperimentResult ToResult(KestrelMeasurements measured, IReadOnlyList<string> missing) =>
        new(new KestrelSection(measured, missing).Create(Id, Title))
        {
            Comparisons = [.. measured.Loads.SelectMany(Compare)],
            Figures =
            [
                .. measured.Memory.Where(memory => memory.Contender == ServerNames.Tarn).Select(memory => new Figure
                {
                    Id = $"{Id}-memory-after",
                    Title = $"Resident {KestrelMeasurements.Rest.TotalSeconds:0} s after {KestrelMeasurements.ManyConnections} connections "
                        + "ended, ÷ before",
                    Value = memory.AfterBytes / memory.IdleBytes,
                    Unit = "",
                    Bound = MemoryBound,
                }),
                new Figure
                {
                    Id = $"{Id}-slow-pooled",
                    Title = $"Pooled bytes under {measured.Slow.Connections} slow connections, ÷ cap",
                    Value = (double)measured.Slow.PooledBytes / KestrelMeasurements.SlowCap,
                    Unit = "",
                    Bound = 1,
                },
                new Figure
                {
                    Id = $"{Id}-slow-unanswered",
                    Title = $"Slow requests without an answer, ÷ {measured.Slow.Connections}",
                    Value = 1 - ((double)measured.Slow.Answered / measured.Slow.Connections),
                    Unit = "",
                    Bound = 0,
                },
                new Figure
                {
                    Id = $"{Id}-failures",
                    Title = "Requests of all loads without an answer of success, ÷ those answered",
                    Value = measured.Loads.Sum(load => load.Failures) / Math.Max(1.0, measured.Loads.Sum(load => load.Answered)),
                    Unit = "",
                    Bound = 0,
                },
            ],
        };

    private IEnumerable<Comparison> Compare(LoadSamples samples) =>
    [
        samples.Times.Compare(0, 1, $"{Id}-{samples.Load.Id}", Group, $"{samples.Load.Title}: time for a request", samples.Load.Target),
        samples.Processor.Compare(
            0, 1, $"{Id}-processor-{samples.Load.Id}", Group, $"{samples.Load.Title}: the server's processor time", samples.Load.Target),
        samples.Late.Compare(0, 1, $"{Id}-late-{samples.Load.Id}", Group, $"{samples.Load.Title}: 99th percentile", target: 1),
        samples.Allocated.Compare(
            0, 1, $"{Id}-allocated-{samples.Load.Id}", Group, $"{samples.Load.Title}: bytes allocated", target: 1, unit: "B"),
    ];
}
