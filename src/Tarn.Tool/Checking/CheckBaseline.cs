using System.Text.Json;
using System.Text.Json.Serialization;

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
    public static IReadOnlyList<Problem> Read(string path)
    {
        try
        {
            return JsonSerializer.Deserialize<Problem[]>(File.ReadAllText(path), s_options) is { } all && !all.Contains(null!)
                ? all
                : throw new InvalidDataException(
                    $"{path} is no baseline: it holds null. Write one: tarn check --write-baseline {path} -- …");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"{path} is no baseline: {exception.Message}", exception);
        }
    }

    public static void Write(string path, IReadOnlyList<Problem> problems) =>
        File.WriteAllText(path, JsonSerializer.Serialize(problems.OrderBy(one => one.Kind).ThenBy(one => one.Site), s_options) + "\n");

    /// <summary>The problems that the baseline does not have, or has fewer of; their count is that beyond the baseline.</summary>
    public static IReadOnlyList<Problem> FindNew(IReadOnlyList<Problem> problems, IReadOnlyList<Problem> baseline)
    {
        ILookup<(ProblemKind, string), Problem> known = baseline.ToLookup(one => (one.Kind, one.Site));
        return
        [
            .. problems.Select(one => one with { Count = one.Count - known[(one.Kind, one.Site)].Sum(accepted => accepted.Count) })
                .Where(one => one.Count > 0),
        ];
    }
}
