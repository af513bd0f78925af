namespace Tarn.Lab.Report.Facts;

/// <summary>The few numbers that decide how a report is laid out.</summary>
internal static class ReportLimits
{
    /// <summary>A longer table starts folded: the picture above it is what most readers came for.</summary>
    public const int OpenTableRows = 30;

    /// <summary>The axis of the verdict's bars never reaches further than this factor either way; longer bars end in an arrow.</summary>
    public const double FarthestRatio = 10;

    /// <summary>A smaller loss is listed folded: another run may well show it as no difference.</summary>
    public const double LossWorthKnowing = 1.1;

    /// <summary>The list of losses stays short: so many of a subject stand open.</summary>
    public const int ShownLosses = 5;
}
