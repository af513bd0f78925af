using System.Globalization;

namespace Tarn.Lab.Claims;

/// <summary>Writes a claim's figure.</summary>
internal static class FigureStyleText
{
    /// <summary>Rounded so that the text never promises more than was measured.</summary>
    public static string Format(this FigureStyle style, double value) => style switch
    {
        FigureStyle.Ratio => RoundUp(value, 100).ToString("0.00", CultureInfo.InvariantCulture),
        FigureStyle.Times => (Math.Floor((10 / value) + 1e-9) / 10).ToString("0.0", CultureInfo.InvariantCulture),
        FigureStyle.Percent => RoundUp(value * 100, 10).ToString("0.#", CultureInfo.InvariantCulture) + " %",
        FigureStyle.Bytes => RoundUp(value, 1).ToString("#,0", CultureInfo.InvariantCulture),
        FigureStyle.Nanoseconds => RoundUp(value, 1).ToString("#,0", CultureInfo.InvariantCulture) + " ns",
        _ => throw new ArgumentOutOfRangeException(nameof(style), style, "Unknown style."),
    };

    // Subtract a little first: a value stored slightly above 0.2 must not be written as 0.21. Adding zero turns -0 into 0.
    private static double RoundUp(double value, double steps) => (Math.Ceiling((value * steps) - 1e-9) / steps) + 0.0;
}
