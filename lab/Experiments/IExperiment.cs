namespace Tarn.Lab.Experiments;

/// <summary>One question put to the machine. Experiments know nothing of each other, of the report or of the console.</summary>
internal interface IExperiment
{
    /// <summary>What <c>--only</c> names; comparison and figure ids begin with it.</summary>
    string Id { get; }

    string Title { get; }

    /// <summary>Expected duration, for the time left; it need not be exact.</summary>
    double QuickSeconds { get; }

    double FullSeconds { get; }

    ExperimentResult Run(ExperimentContext context);
}
