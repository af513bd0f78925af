namespace Tarn.Pages;

/// <summary>
/// The style sheet that all pages share. Text colours keep 4.5 : 1 against their background in both schemes; a test measures it.
/// </summary>
internal static class PageStyle
{
    /// <summary>Every shared rule, pictures and tables included. The rules of one kind of page follow it.</summary>
    public static string Css { get; } =
        $":root {{ color-scheme: light dark; {PictureStyle.LightColours} {LightOnly} }}\n"
        + $"@media (prefers-color-scheme: dark) {{ :root {{ {PictureStyle.DarkColours} {DarkOnly} }} }}\n"
        + Base + Tables + Cards("medium", 640) + Cards("wide", 860) + Cards("widest", 1180) + Charts
        + PictureStyle.Rules + PrintRules;

    private const string LightOnly = "--surface:#ffffff;--ours-wash:#eaf5f4;";
    private const string DarkOnly = "--surface:#182124;--ours-wash:#14302f;";

    private const string Base = """
        *, *::before, *::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
        @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
        body {
          margin: 0; background: var(--bg); color: var(--text);
          font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: break-word;
        }
        main { max-width: 68rem; margin: 0 auto; padding: 2.25rem 2rem 5rem; }
        h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -.012em; font-weight: 650; text-wrap: balance; }
        h1 { font-size: clamp(1.5rem, 1.1rem + 1.8vw, 2.25rem); margin: .4rem 0 1rem; max-width: 26em; letter-spacing: -.022em; }
        h2 { font-size: 1.45rem; margin: 0 0 .6rem; }
        h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
        h4 { font-size: 1rem; margin: 0 0 .25rem; }
        p { margin: 0 0 .8rem; max-width: 70ch; }
        section { margin-top: 3.25rem; padding-top: 2rem; border-top: 1px solid var(--rule); }
        .eyebrow, .note { color: var(--muted); font-size: .875rem; }
        .eyebrow { margin: 0; max-width: none; }
        .finding { margin: 0 0 .3rem; font-size: 1.0625rem; max-width: none; }
        a { color: var(--o0); text-underline-offset: .2em; text-decoration-thickness: 1px; }
        :focus-visible { outline: 2px solid var(--o0); outline-offset: 2px; border-radius: 3px; }
        nav ul {
          list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: 1.8rem 0 0; padding: 0;
          font-size: .9375rem;
        }
        code {
          font: .9em ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, monospace; background: var(--wash);
          padding: .15em .4em; border-radius: 4px;
        }
        .command { display: inline-block; padding: .35em .6em; }
        .facts { margin: 1rem 0 0; }
        .facts div {
          display: grid; grid-template-columns: 15rem 1fr; gap: 0 1.5rem; padding: .4rem 0; border-bottom: 1px solid var(--rule);
        }
        .facts dt { color: var(--muted); }
        .facts dd { margin: 0; }
        .facts dt, .facts dd { min-width: 0; overflow-wrap: anywhere; }
        @media (max-width: 640px) {
          main { padding: 1.5rem 1rem 3rem; }
          section { margin-top: 2.75rem; padding-top: 1.5rem; }
          .facts div { display: block; }
          .facts dt { font-size: .875rem; }
        }

        """;

    private const string Tables = """
        .table { margin: 2rem 0 0; }
        table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.45; }
        .slim table { width: auto; min-width: min(100%, 34rem); }
        .table h4 { margin-bottom: .5rem; }
        th, td { padding: .42rem .7rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
        th:first-child, td:first-child { padding-left: .5rem; }
        th {
          position: sticky; top: 0; z-index: 1; background: var(--bg); padding-top: 0; padding-bottom: 0;
          border-bottom-color: var(--strong-rule); vertical-align: bottom;
        }
        th button {
          font: inherit; font-weight: 600; color: var(--muted); background: none; border: 0; margin: 0; padding: .5rem 0;
          cursor: pointer; text-align: inherit; position: relative;
        }
        /* The arrow stands in the cell's padding, so that headings and numbers end on one line. */
        th button::after {
          content: "↕"; position: absolute; bottom: .5rem; width: .8em; text-align: center; opacity: .4; font-weight: 400;
        }
        th[aria-sort] button { color: var(--text); }
        th[aria-sort] button::after { color: var(--text); opacity: 1; }
        th[aria-sort=ascending] button::after { content: "↑"; } th[aria-sort=descending] button::after { content: "↓"; }
        th button:hover { color: var(--text); }
        .number { text-align: right; }
        td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
        tbody tr:hover { background: var(--wash); }
        tr.ours { background: var(--ours-wash); }
        tr.ours td:first-child { box-shadow: inset 3px 0 0 var(--o0); }
        tr.ours td.text { font-weight: 600; }
        .table > .note { margin: .7rem 0 0; }
        tr.better td:last-child { color: var(--win); font-weight: 600; } tr.worse td:last-child { color: var(--loss); font-weight: 600; }
        .fold { margin-top: 1.5rem; }
        .fold summary { padding: .5rem 0; font-weight: 600; }
        .fold summary span { color: var(--muted); font-weight: 400; font-size: .875rem; margin-left: .35rem; }
        .fold .table { margin: .5rem 0 1.25rem; }
        .sort-by { display: none; color: var(--muted); font-size: .875rem; margin: 0 0 .75rem; align-items: center; gap: .6rem; }
        .sort-by select {
          font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--strong-rule);
          border-radius: 6px; padding: .35rem .5rem; min-width: 0; flex: 1; max-width: 22rem;
        }
        @media (max-width: 640px) {
          .slim th, .slim td { padding-left: .3rem; padding-right: .8rem; }
          .slim .long, .slim td.text { overflow-wrap: anywhere; }
          .slim td.text { min-width: 6rem; }
        }

        """;

    private const string Charts = """
        .chart { margin: 2.25rem 0 0; }
        figcaption { margin-bottom: 1rem; }
        figcaption p { color: var(--muted); font-size: .9375rem; margin: 0; }
        .chart svg { display: block; width: 100%; height: auto; overflow: visible; }
        .chart .narrow { display: none; }
        .chart > .note { margin: .75rem 0 0; }
        @media (max-width: 820px) {
          .chart .wide { display: none; }
          .chart .narrow { display: block; max-width: 30rem; }
        }
        .picture .series { transition: opacity .12s; }
        .picture.focus .series { opacity: .22; } .picture.focus .series.on { opacity: 1; }
        .picture .cursor { stroke: var(--strong-rule); stroke-width: 1; pointer-events: none; }
        #tip {
          position: fixed; z-index: 5; top: 0; left: 0; pointer-events: none; background: var(--surface);
          border: 1px solid var(--rule); border-radius: 8px; box-shadow: 0 4px 18px rgb(0 0 0 / .16); padding: .55rem .75rem;
          font-size: .8125rem; line-height: 1.5; max-width: min(24rem, calc(100vw - 1rem));
        }
        #tip[hidden] { display: none; }
        #tip b { display: block; margin-bottom: .1rem; }
        #tip div { display: flex; justify-content: space-between; gap: 1.25rem; }
        #tip div::before {
          content: ""; flex: none; align-self: center; width: .6rem; height: .6rem; border-radius: 2px; background: var(--c);
          margin-right: -.7rem;
        }
        #tip .ours { font-weight: 650; }
        #tip .plain::before { display: none; }
        #tip .result-line { margin-top: .3rem; padding-top: .3rem; border-top: 1px solid var(--rule); color: var(--c); font-weight: 650; }
        #tip span:first-child { flex: 1; min-width: 0; }
        #tip span:last-child { font-variant-numeric: tabular-nums; white-space: nowrap; }

        """;

    /// <summary>Below a width the rows of a table with so many columns are cards: text across, each number under its heading.</summary>
    private static string Cards(string width, int below) => $$"""
        @media (max-width: {{below}}px) {
          .{{width}} table, .{{width}} tbody, .{{width}} td { display: block; }
          .{{width}} thead { display: none; }
          .{{width}} .sort-by { display: flex; }
          .{{width}} tr {
            display: grid; grid-template-columns: repeat(auto-fill, minmax(5.75rem, 1fr)); gap: .4rem .8rem;
            padding: .75rem .85rem; margin: 0 0 .6rem; border: 1px solid var(--rule); border-radius: 8px; background: var(--surface);
          }
          .{{width}} tr.ours { background: var(--ours-wash); border-left: 3px solid var(--o0); }
          .{{width}} tr.ours td:first-child { box-shadow: none; }
          .{{width}} td { border: 0; padding: 0; text-align: left; min-width: 0; }
          .{{width}} td::before {
            content: attr(data-label); display: block; color: var(--muted); font-size: .75rem; font-weight: 400; white-space: normal;
          }
          .{{width}} td.text, .{{width}} td:first-child { grid-column: 1 / -1; }
          .{{width}} td:first-child { font-weight: 650; font-size: .9375rem; padding: 0; }
          .{{width}} td.text::before, .{{width}} td:first-child::before { display: inline; margin-right: .5em; }
        }

        """;

    /// <summary>Paper has no pointer: everything is unfolded, and pictures are as wide as the page.</summary>
    private const string PrintRules = """

        @media print {
          main { max-width: none; padding: 0; }
          .chart .wide { display: block; }
          .chart .narrow { display: none; }
          details::details-content { display: block; content-visibility: visible; block-size: auto; }
          nav, .sort-by { display: none !important; }
          figure, tr { break-inside: avoid; }
          h2, h3, h4, summary { break-after: avoid; }
        }

        """;
}
