using System.Text.Json;
using System.Text.Json.Serialization;
using Tarn.Lab.Results;

namespace Tarn.Lab.Baseline;

/// <summary>Reads back the results.json of an earlier run.</summary>
internal static class BaselineFile
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNameCaseInsensitive = true,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        Converters = { new JsonStringEnumConverter() },
    };

    /// <exception cref="BaselineException">The file is missing, is no results file, or is of another format.</exception>
    public static LabReport Read(string path)
    {
        LabReport? report;
        try
        {
            report = JsonSerializer.Deserialize<LabReport>(File.ReadAllText(path), s_options);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new BaselineException($"The baseline {path} cannot be read: {exception.Message}", exception);
        }

        int expected = new LabReport { Run = null! }.FormatVersion;
        if (report is null || report.FormatVersion != expected)
            throw new BaselineException($"The baseline {path} is of format {report?.FormatVersion}; this lab compares format {expected}.");

        return report;
    }
}
