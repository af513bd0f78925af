using System.Text.Json;
using Tarn.Lab.Report;
using Tarn.Lab.Results;

namespace Tarn.Lab.Claims;

/// <summary>The claims as one run found them; the committed one is what documents are generated from.</summary>
internal sealed record ClaimFile(RunInfo Run, IReadOnlyList<ClaimResult> Claims)
{
    public const string Name = "claims.json";

    public static string CommittedPath(string repositoryRoot) => Path.Combine(repositoryRoot, "lab", "results", Name);

    /// <summary>
    /// The claims of every committed run: one of all experiments, and those below it of some. A claim stands in one of them.
    /// </summary>
    public static IReadOnlyList<ClaimResult> ReadCommitted(string repositoryRoot)
    {
        string first = CommittedPath(repositoryRoot);
        string[] below =
        [
            .. Directory.EnumerateDirectories(Path.GetDirectoryName(first)!)
                .Select(directory => Path.Combine(directory, Name))
                .Where(File.Exists),
        ];
        return [.. below.Prepend(first).SelectMany(path => Read(path).Claims)];
    }

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
