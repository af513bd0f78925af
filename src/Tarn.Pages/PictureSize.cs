namespace Tarn.Pages;

/// <summary>
/// A picture is drawn for the width it is shown at, so that its text is as large as the text around it: once for a page, once for
/// a phone. The page shows whichever fits.
/// </summary>
internal sealed record PictureSize(string Name, double Width, double PlotHeight, double FontSize, bool LabelsBeside)
{
    public static PictureSize Wide { get; } = new("wide", 960, 380, 13, LabelsBeside: true);

    public static PictureSize Narrow { get; } = new("narrow", 358, 300, 12, LabelsBeside: false);
}
