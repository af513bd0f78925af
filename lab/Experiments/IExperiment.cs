namespace Tarn.Lab.Experiments;

/// <summary>One question for the machine. Experiments do not depend on each other, the report or the console.</summary>
internal interface IExperiment
{
    /// <summary>The name for <c>--only</c>. Ids of comparisons and figures begin with it.</summary>
    string Id { get; }

    string Title { get; }

    /// <summary>Expected duration, for the time left; it need not be exact.</summary>
    double QuickSeconds { get; }

    double FullSeconds { get; }

    ExperimentResult Run(ExperimentContext context);
}
