using Tarn.Lab.Experiments;

namespace Tarn.Lab.Running;

/// <summary>The options of the command line.</summary>
internal sealed record LabOptions
{
    public bool Full { get; init; }

    /// <summary>Ids of the experiments to run; empty runs all.</summary>
    public IReadOnlyList<string> Only { get; init; } = [];

    public string OutputDirectory { get; init; } = "lab-out";

    /// <summary>An earlier run's results.json.</summary>
    public string? BaselineFile { get; init; }

    /// <summary>Set by a subcommand that chooses the experiments itself.</summary>
    public string? Subcommand { get; init; }

    public int Seed { get; init; } = ExperimentContext.DefaultSeed;

    /// <summary>The command that repeats this run.</summary>
    public string ToCommand()
    {
        var parts = new List<string> { "dotnet run -c Release --project lab --" };
        if (Subcommand is not null)
        {
            parts.Add(Subcommand);
        }

        if (Full)
        {
            parts.Add("--full");
        }

        if (Only.Count > 0 && Subcommand is null)
        {
            parts.Add("--only " + string.Join(',', Only));
        }

        if (Seed != ExperimentContext.DefaultSeed)
        {
            parts.Add($"--seed {Seed}");
        }

        return parts.Count == 1 ? parts[0][..^" --".Length] : string.Join(' ', parts);
    }
}
