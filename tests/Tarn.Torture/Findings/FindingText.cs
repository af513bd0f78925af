using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Tarn.Torture.Findings;

/// <summary>The text of a finding, built only where there is one, because conditions are checked millions of times.</summary>
[InterpolatedStringHandler]
internal readonly struct FindingText
{
    private readonly StringBuilder? _text;

    /// <param name="literalLength">The number of literal characters.</param>
    /// <param name="formattedCount">Values in it.</param>
    /// <param name="holds">The required condition; if it holds, no text is built.</param>
    /// <param name="isNeeded">Whether the condition does not hold.</param>
    public FindingText(int literalLength, int formattedCount, bool holds, out bool isNeeded)
    {
        isNeeded = !holds;
        _text = holds ? null : new StringBuilder(literalLength + (formattedCount * 16));
    }

    /// <inheritdoc/>
    public override string ToString() => _text?.ToString() ?? "";

    public void AppendLiteral(string text) => _text!.Append(text);

    public void AppendFormatted<T>(T value) => AppendFormatted(value, format: null);

    public void AppendFormatted<T>(T value, string? format) =>
        _text!.Append(value is IFormattable formattable ? formattable.ToString(format, CultureInfo.InvariantCulture) : value?.ToString());
}
