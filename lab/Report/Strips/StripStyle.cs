namespace Tarn.Lab.Report.Strips;

/// <summary>How the parts of a strip picture are drawn, on the page and in a file of its own.</summary>
internal static class StripStyle
{
    /// <summary>Outcomes differ by shape as well as by colour.</summary>
    public const string Rules = """
        .strip text {
          font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
          fill: var(--text); font-variant-numeric: tabular-nums;
        }
        .strip .subject { font-weight: 650; }
        .strip .small { fill: var(--muted); }
        .strip .side { fill: var(--wash); }
        .strip .grid { stroke: var(--rule); stroke-width: 1; }
        .strip .equal { stroke: var(--strong-rule); stroke-width: 1.5; }
        .strip .lane-edge { stroke: var(--rule); stroke-width: 1; }
        .strip .middle { fill: var(--text); }
        .strip .shape { stroke: var(--bg); stroke-width: .6; }
        .strip .win .shape { fill: var(--win); }
        .strip .loss .shape { fill: var(--loss); }
        .strip .no-difference .shape { fill: var(--bg); stroke: var(--same); stroke-width: 1.5; }

        """;
}
