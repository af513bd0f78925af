namespace Tarn.Lab.Experiments;

/// <summary>A part of an experiment that needs a process of its own.</summary>
internal interface IChildJob
{
    /// <summary>Unique among jobs; the experiment starts the child with it.</summary>
    string Name { get; }

    /// <summary>Runs in the child and returns named values for the experiment.</summary>
    IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments);
}
