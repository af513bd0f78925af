using Microsoft.Diagnostics.Tracing;
using Tarn.Traces;

namespace Tarn.Tool.Asking;

/// <summary>One event of a report, kept after the reader has moved on to the next.</summary>
internal sealed class ReportPart(TraceEvent one)
{
    /// <summary>The name of the field that says to which report an event belongs.</summary>
    public const string IdName = "reportId";

    private readonly Dictionary<string, object?> _fields =
        Enumerable.Range(0, one.PayloadNames.Length).ToDictionary(at => one.PayloadNames[at], at => (object?)one.PayloadValue(at));

    /// <summary>The event's name.</summary>
    public string Name { get; } = one.EventName;

    /// <summary>The value of a field.</summary>
    /// <exception cref="RecordingException">There is none of that name and type.</exception>
    public T Get<T>(string field) => _fields.TryGetValue(field, out object? value) && value is T found
        ? found
        : throw new RecordingException(
            $"The process uses another version of Tarn: {Name} has no {field} of type {typeof(T).Name}. Use the tool of the same version.");
}
