namespace Tarn.Lab.Experiments.Against;

/// <summary>The part of <see cref="AgainstExperiment"/> that concerns the array pool.</summary>
internal sealed class AgainstPoolExperiment : IExperiment
{
    public string Id => "against-pool";

    public string Title => "The array pool against another commit";

    public double QuickSeconds => 110;

    public double FullSeconds => 660;

    public ExperimentResult Run(ExperimentContext context) =>
        AgainstSection.CreateResult(Id, Title, AgainstExperiment.MeasurePools(context));
}
