namespace Tarn.Lab.Running;

/// <summary>The user named experiments that do not exist.</summary>
internal sealed class UnknownExperimentException(IEnumerable<string> ids)
    : Exception($"No such experiment: {string.Join(", ", ids)}. There are: "
        + $"{string.Join(", ", Catalogue.All.Select(experiment => experiment.Id))}.");
