using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report;

/// <summary>Writes and reads a report as JSON: in camel case, with NaN kept, and an error for missing values.</summary>
internal static class ReportJson
{
    public static JsonSerializerOptions Options { get; } = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        // The file is data beside the page, never pasted into one: `BufferPool<byte>` stays readable in it.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase), new CellConverter() },
    };

    /// <summary>
    /// A table's cell is a string, a number or null; <c>{"number":"NaN"}</c> keeps values that JSON numbers cannot represent.
    /// </summary>
    private sealed class CellConverter : JsonConverter<object>
    {
        public override object? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            switch (reader.TokenType)
            {
                case JsonTokenType.Number:
                    return reader.GetDouble();
                case JsonTokenType.String:
                    return reader.GetString();
                case JsonTokenType.StartObject:
                    return JsonSerializer.Deserialize<NamedNumber>(ref reader, options).Number;
                default:
                    throw new JsonException($"A cell is a string, a number or null, not {reader.TokenType}.");
            }
        }

        public override void Write(Utf8JsonWriter writer, object value, JsonSerializerOptions options)
        {
            if (value is string text)
            {
                writer.WriteStringValue(text);
            }
            else if (Quantity.ToDouble(value) is var number && double.IsFinite(number))
            {
                writer.WriteNumberValue(number);
            }
            else
            {
                JsonSerializer.Serialize(writer, new NamedNumber(number), options);
            }
        }
    }

    private readonly record struct NamedNumber(double Number);
}
