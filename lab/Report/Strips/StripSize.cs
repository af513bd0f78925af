namespace Tarn.Lab.Report.Strips;

/// <summary>A strip picture is drawn for the width it is shown at: for a page, for a phone, for a document such as a README.</summary>
/// <param name="LabelWidth">Room for the subjects at the left; zero puts each above its strip.</param>
/// <param name="GutterColumns">Columns of dots that lie beyond the axis, at either end.</param>
/// <param name="HalfHeight">How far from the strip's middle a dot may stand.</param>
internal sealed record StripSize(
    string Name, double Width, double LabelWidth, double Radius, double FontSize, int GutterColumns, double HalfHeight)
{
    public static StripSize Wide { get; } = new("wide", 1024, 232, 3.4, 14, 5, 36);

    public static StripSize Narrow { get; } = new("narrow", 358, 0, 2.5, 12, 3, 36);

    public static StripSize Document { get; } = new("document", 840, 204, 3.1, 14, 4, 38);

    public bool LabelsBeside => LabelWidth > 0;

    /// <summary>From the centre of a dot to its neighbour's.</summary>
    public double Pitch => (2 * Radius) + 0.9;
}
