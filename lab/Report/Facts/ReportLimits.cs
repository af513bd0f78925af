namespace Tarn.Lab.Report.Facts;

/// <summary>The numbers that decide the layout of a report.</summary>
internal static class ReportLimits
{
    /// <summary>The axis of the verdict's bars never reaches further than this factor either way; longer bars end in an arrow.</summary>
    public const double FarthestRatio = 10;

    /// <summary>A smaller loss is folded, because another run may show it as no difference.</summary>
    public const double LossWorthKnowing = 1.1;

    /// <summary>The number of losses of a subject that are not folded.</summary>
    public const int ShownLosses = 5;
}
