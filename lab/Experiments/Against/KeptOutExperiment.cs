namespace Tarn.Lab.Experiments.Against;

/// <summary>
/// As <see cref="AgainstExperiment"/>, with loads that served no choice of a constant. Look at them last: a load that a constant was
/// chosen with says nothing about other loads any more.
/// </summary>
internal sealed class KeptOutExperiment : IExperiment
{
    public string Id => "against-kept-out";

    public string Title => "Against another commit, loads kept out";

    public double QuickSeconds => 25;

    public double FullSeconds => 120;

    public ExperimentResult Run(ExperimentContext context) =>
        AgainstSection.CreateResult(Id, Title, [.. AgainstLoads.Measure(context, AgainstLoads.KeptOut)]);
}
