using System.Text.Json;
using System.Text.Json.Serialization;
using Tarn.Pages;

namespace Tarn.Tool.Checking;

/// <summary>The problems that are known and accepted.</summary>
internal static class CheckBaseline
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase, allowIntegerValues: false) },
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <exception cref="InvalidDataException">The file is no baseline; the message names the file and the fault.</exception>
    public static IReadOnlyList<KnownProblem> Read(string path)
    {
        try
        {
            return JsonSerializer.Deserialize<KnownProblem[]>(File.ReadAllText(path), s_options) is { } all && !all.Contains(null!)
                ? all
                : throw new InvalidDataException(
                    $"{path} is no baseline: it holds null. Write one: tarn check --write-baseline {path} -- …");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"{path} is no baseline: {exception.Message}", exception);
        }
    }

    /// <summary>
    /// Writes all problems, also those that are only possible: in another run of the same program they may be likely.
    /// </summary>
    public static string Write(IReadOnlyList<Problem> problems) => ForeignText.Json(JsonSerializer.Serialize(
        problems.Select(one => one.Known).OrderBy(one => one.Kind).ThenBy(one => one.Site, StringComparer.Ordinal), s_options)) + "\n";

    /// <summary>The problems that the baseline does not have.</summary>
    public static IReadOnlyList<Problem> FindNew(IReadOnlyList<Problem> problems, IReadOnlyList<KnownProblem> baseline) =>
        [.. problems.Where(one => !baseline.Any(known => known.Is(one.Known)))];
}
