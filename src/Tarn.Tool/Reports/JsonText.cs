using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using Tarn.Pages;

namespace Tarn.Tool.Reports;

/// <summary>JSON as the commands write it: indented, names in camel case, and no escapes that a terminal need not have.</summary>
internal static class JsonText
{
    private static readonly JsonSerializerOptions s_options = Options(isIndented: true);
    private static readonly JsonSerializerOptions s_onOneLine = Options(isIndented: false);

    /// <summary>How values are written, for what describes them.</summary>
    public static JsonSerializerOptions Contract => s_options;

    /// <summary>Writes a value.</summary>
    public static string Of<T>(T value) => ForeignText.Json(JsonSerializer.Serialize(value, s_options));

    /// <summary>Writes a value on one line.</summary>
    public static string LineOf<T>(T value) => ForeignText.Json(JsonSerializer.Serialize(value, s_onOneLine));

    /// <summary>Reads a value. Names that it does not have are refused.</summary>
    /// <exception cref="JsonException">The text is no such value.</exception>
    public static T Read<T>(string text) => JsonSerializer.Deserialize<T>(text, s_options) ?? throw new JsonException("It is null.");

    private static JsonSerializerOptions Options(bool isIndented) => new()
    {
        WriteIndented = isIndented,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };
}
