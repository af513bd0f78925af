using Tarn.Lab.Report.Strips;

namespace Tarn.Lab.Report.Page;

/// <summary>The style sheet of the lab's page: the shared one, then what only this page has.</summary>
internal static class LabStyle
{
    public static string Css { get; } = PageStyle.Css + Comparisons + OverviewStyle.Css + StripStyle.Rules + PrintRules;

    private const string Comparisons = """
        .comparisons h4 { margin: 1.9rem 0 .1rem; font-size: .9375rem; color: var(--muted); font-weight: 600; letter-spacing: 0; }
        .comparisons > .note { margin: .7rem 0 0; }
        .comparisons ul { list-style: none; margin: 0; padding: 0; }
        .comparisons li, .axis-row {
          display: grid; grid-template-columns: minmax(0, 25rem) minmax(0, 1fr) 13.25rem; column-gap: 1.75rem;
          align-items: center;
        }
        .comparisons li { padding: .6rem 0; border-bottom: 1px solid var(--rule); scroll-margin-top: 4rem; }
        .comparisons li:target { background: var(--wash); box-shadow: -.6rem 0 var(--wash), .6rem 0 var(--wash); }
        .win { --c: var(--win); } .loss { --c: var(--loss); } .no-difference, .not-measured { --c: var(--same); }
        .what strong { display: block; font-weight: 600; line-height: 1.4; }
        .what > span { display: block; font-size: .8125rem; line-height: 1.5; color: var(--muted); }
        .what .side { display: inline-block; margin-right: .35em; }
        .what b { font-weight: 600; color: var(--text); white-space: nowrap; font-variant-numeric: tabular-nums; }
        .axis-row { font-size: .75rem; color: var(--muted); margin-top: 1.4rem; }
        .axis-row .scale { grid-column: 2; position: relative; height: 2.6rem; }
        .scale span { position: absolute; bottom: 0; transform: translateX(-50%); font-variant-numeric: tabular-nums; }
        .scale i { position: absolute; top: 0; font-style: normal; }
        .scale .less { right: calc(50% + .8rem); } .scale .more { left: calc(50% + .8rem); }
        .ratio { position: relative; height: 2rem; }
        .ratio i { position: absolute; }
        .ratio .rule { top: -.3rem; bottom: -.3rem; width: 1px; background: var(--rule); }
        .ratio .equal { top: -.3rem; bottom: -.3rem; width: 1px; background: var(--strong-rule); }
        .ratio .bar { top: calc(50% - .375rem); height: .75rem; background: var(--c); border-radius: 2px; min-width: 2px; }
        .ratio .beyond-left { clip-path: polygon(0 50%, .5rem 0, 100% 0, 100% 100%, .5rem 100%); }
        .ratio .beyond-right { clip-path: polygon(0 0, calc(100% - .5rem) 0, 100% 50%, calc(100% - .5rem) 100%, 0 100%); }
        .ratio .whisker { top: calc(50% - .25rem); height: .5rem; border: solid var(--text); border-width: 0 1px; min-width: 2px; }
        .ratio .whisker::before {
          content: ""; position: absolute; left: 0; right: 0; top: calc(50% - .5px); height: 1px; background: var(--text);
        }
        .ratio .aim {
          top: 0; width: 0; border: .3rem solid transparent; border-top: .4rem solid var(--muted); transform: translateX(-50%);
        }
        .result {
          display: grid; grid-template-columns: 4.5rem 1fr; column-gap: .75rem; align-items: baseline; line-height: 1.4;
          font-variant-numeric: tabular-nums;
        }
        .result > b { text-align: right; white-space: nowrap; font-size: 1.0625rem; color: var(--c); grid-row: 1; }
        .result .outcome { color: var(--c); font-weight: 600; font-size: .9375rem; white-space: nowrap; }
        .result .interval, .result .target { grid-column: 2; font-size: .75rem; color: var(--muted); }
        .result .target { white-space: nowrap; }
        .result .missed { color: var(--loss); font-weight: 600; }
        @media (max-width: 860px) {
          .comparisons li { grid-template-columns: minmax(0, 1fr); row-gap: .15rem; padding: .9rem 0; }
          .axis-row { grid-template-columns: minmax(0, 1fr); margin-top: .6rem; }
          .axis-row .scale { grid-column: 1; }
          .scale { margin: 0 .5rem; } .ratio { margin: 0 .5rem; height: 1.75rem; }
          .ratio .rule, .ratio .equal { top: 0; bottom: 0; }
          .result { display: flex; flex-wrap: wrap; column-gap: .7rem; }
        }

        """;

    private const string PrintRules = """

        @media print {
          .overview .wide { display: block; }
          .overview .narrow { display: none; }
          .fold-all { display: none !important; }
          .comparisons li { break-inside: avoid; }
        }

        """;
}
