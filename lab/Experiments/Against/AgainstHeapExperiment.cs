namespace Tarn.Lab.Experiments.Against;

/// <summary>The part of <see cref="AgainstExperiment"/> that concerns the native heap.</summary>
internal sealed class AgainstHeapExperiment : IExperiment
{
    public string Id => "against-heap";

    public string Title => "The native heap against another commit";

    public double QuickSeconds => 40;

    public double FullSeconds => 240;

    public ExperimentResult Run(ExperimentContext context) =>
        AgainstSection.CreateResult(Id, Title, [.. AgainstHeaps.Measure(context)]);
}
