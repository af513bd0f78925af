using System.Text.Json;
using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Claims;

/// <summary>The claims as one run measured them. Documents get their figures from the committed files.</summary>
internal sealed record ClaimFile(RunInfo Run, IReadOnlyList<ClaimResult> Claims)
{
    public const string Name = "claims.json";

    /// <summary>
    /// Reads the claims of every committed run, each in a folder under lab/results. Of a claim that several processors measured, it takes
    /// the worst.
    /// </summary>
    /// <exception cref="InvalidDataException">No run is committed, or a file is not one of claims.</exception>
    public static IReadOnlyList<ClaimResult> ReadCommitted(string repositoryRoot)
    {
        IReadOnlyList<string> committed = FindCommitted(repositoryRoot);
        return committed.Count == 0
            ? throw new InvalidDataException($"No folder under lab/results holds a {Name}: write one with 'claims --judge'.")
            : [.. committed.SelectMany(path => Read(path).Claims).GroupBy(claim => claim.Id).Select(Worst)];
    }

    /// <summary>The files of all runs under lab/results.</summary>
    public static IReadOnlyList<string> FindCommitted(string repositoryRoot)
    {
        string results = Path.Combine(repositoryRoot, "lab", "results");
        return Directory.Exists(results)
            ? [.. Directory.GetFiles(results, Name, SearchOption.AllDirectories).Order(StringComparer.Ordinal)]
            : [];
    }

    /// <summary>A figure that is not a number is worse than all.</summary>
    private static ClaimResult Worst(IEnumerable<ClaimResult> measured) =>
        measured.MaxBy(claim => double.IsNaN(claim.Value) ? double.PositiveInfinity : claim.Value)!;

    public string WriteTo(string directory)
    {
        Directory.CreateDirectory(directory);
        string path = Path.Combine(directory, Name);
        File.WriteAllText(path, JsonSerializer.Serialize(this, ReportJson.Options) + "\n");
        return path;
    }

    /// <exception cref="InvalidDataException">The file is not one of claims.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static ClaimFile Read(string path)
    {
        try
        {
            return JsonSerializer.Deserialize<ClaimFile>(File.ReadAllText(path), ReportJson.Options)
                ?? throw new InvalidDataException($"{path} holds no claims.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"{path} is not a file of claims: {exception.Message}", exception);
        }
    }
}
