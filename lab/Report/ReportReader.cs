using System.Text.Json;
using Tarn.Lab.Model;

namespace Tarn.Lab.Report;

/// <summary>Reads the files of <see cref="ReportWriter"/>, for <c>--baseline</c> and to draw a report again.</summary>
internal static class ReportReader
{
    /// <summary>The one <see cref="LabReport.FormatVersion"/> that this lab understands.</summary>
    public const int SupportedVersion = 1;

    /// <exception cref="InvalidDataException">The file is not a report, is damaged, or has another format version.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static LabReport Read(string path)
    {
        var bytes = File.ReadAllBytes(path);
        try
        {
            // Read the version first: a newer file may not fit the model, and then the error must name its version.
            using (var document = JsonDocument.Parse(bytes))
            {
                RequireVersion(document.RootElement, path);
            }

            return JsonSerializer.Deserialize<LabReport>(bytes, ReportJson.Options)
                ?? throw new InvalidDataException($"{path} holds no report.");
        }
        catch (JsonException broken)
        {
            throw new InvalidDataException($"{path} is not a readable lab report: {broken.Message}", broken);
        }
    }

    private static void RequireVersion(JsonElement root, string path)
    {
        if (root.ValueKind != JsonValueKind.Object
            || !root.TryGetProperty("formatVersion", out var property)
            || property.ValueKind != JsonValueKind.Number
            || !property.TryGetInt32(out var version))
        {
            throw new InvalidDataException($"{path} is not a lab report: it has no formatVersion.");
        }

        if (version != SupportedVersion)
        {
            throw new InvalidDataException(
                $"{path} has format version {version}; this lab reads version {SupportedVersion}. "
                + "Measure the baseline again with this lab, or compare with the version that wrote it.");
        }
    }
}
