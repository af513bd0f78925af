using System.Text.Json;
using System.Text.Json.Serialization;
using Tarn.Lab.Results;

namespace Tarn.Lab.Report;

/// <summary>Writes a report's files.</summary>
internal static class ReportWriter
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    public static IReadOnlyList<string> WriteAll(LabReport report, string directory)
    {
        Directory.CreateDirectory(directory);
        string path = Path.Combine(directory, "results.json");
        File.WriteAllText(path, JsonSerializer.Serialize(report, s_options));
        return [path];
    }
}
