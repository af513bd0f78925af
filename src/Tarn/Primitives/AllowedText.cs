using System.Globalization;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>What values of a setting are allowed, as an interpolated string that is put together only if a value is not.</summary>
/// <remarks>Options are verified at each use, and an interpolated string rents memory and formats its values.</remarks>
[InterpolatedStringHandler]
internal ref struct AllowedText
{
    private DefaultInterpolatedStringHandler _text;

    /// <param name="literalLength">The characters of the constant parts.</param>
    /// <param name="formattedCount">The number of values.</param>
    /// <param name="isAllowed">Whether the text is not needed.</param>
    /// <param name="isNeeded">Whether the compiler's code is to append the parts.</param>
    public AllowedText(int literalLength, int formattedCount, bool isAllowed, out bool isNeeded)
    {
        isNeeded = !isAllowed;
        if (isNeeded)
        {
            _text = new DefaultInterpolatedStringHandler(literalLength, formattedCount, CultureInfo.InvariantCulture);
        }
    }

    public void AppendLiteral(string value) => _text.AppendLiteral(value);

    public void AppendFormatted<T>(T value) => _text.AppendFormatted(value);

    internal string ToStringAndClear() => _text.ToStringAndClear();
}
