using Tarn.Lab.Contenders.Against;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Against;

/// <summary>The library of this commit and that of another one, by turns in one process.</summary>
/// <remarks>
/// Two runs of the lab cannot be compared on a machine that other programs use. Here both builds meet the same disturbances, and the same
/// code in a third assembly shows how much of a difference is noise.
/// </remarks>
internal sealed class AgainstExperiment : IExperiment
{
    public string Id => "against";

    public string Title => "Against another commit";

    public double QuickSeconds => 150;

    public double FullSeconds => 900;

    public ExperimentResult Run(ExperimentContext context) => AgainstSection.CreateResult(
        Id, Title, [.. MeasurePools(context.Part(1, 2)), .. AgainstHeaps.Measure(context.Part(2, 2))]);

    /// <summary>The rows of the array pool.</summary>
    internal static List<AgainstRow> MeasurePools(ExperimentContext context)
    {
        List<AgainstRow> rows = [];
        IReadOnlyList<Func<ExperimentContext, IEnumerable<AgainstRow>>> parts =
        [
            AgainstCalls.Measure, AgainstThreads.Measure, AgainstLoads.Measure, AgainstTraces.Measure,
        ];
        for (int part = 0; part < parts.Count; part++)
        {
            rows.AddRange(parts[part](context.Part(part + 1, parts.Count)));
            context.Report((part + 1.0) / parts.Count);
        }

        return rows;
    }
}
