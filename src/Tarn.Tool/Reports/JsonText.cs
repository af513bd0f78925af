using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Tarn.Tool.Reports;

/// <summary>JSON as the commands write it: indented, names in camel case, and no escapes that a terminal need not have.</summary>
internal static class JsonText
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Writes a value.</summary>
    public static string Of<T>(T value) => JsonSerializer.Serialize(value, s_options);
}
