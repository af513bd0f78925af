namespace Tarn.Lab.Report.Page;

/// <summary>The style of the page's first screen: the strip picture, the losses, and the folds of the subjects.</summary>
internal static class OverviewStyle
{
    public const string Css = """

        .overview { margin: 1.75rem 0 0; }
        .overview svg { display: block; width: 100%; height: auto; overflow: visible; touch-action: pan-y; }
        .overview .narrow { display: none; }
        .overview figcaption { margin: .6rem 0 0; }
        @media (max-width: 820px) {
          .overview .wide { display: none; }
          .overview .narrow { display: block; max-width: 34rem; margin: 0 auto; }
        }
        .strip a { text-decoration: none; outline: none; }
        .strip a:hover .subject { text-decoration: underline; }
        .strip a:focus-visible .subject { text-decoration: underline; text-decoration-thickness: 2px; }
        .strip .dot { cursor: pointer; }
        .strip .dot.on .shape, .strip .dot:focus-visible .shape { stroke: var(--text); stroke-width: 2; }
        .strip.pointed .dot .shape { opacity: .55; } .strip.pointed .dot.on .shape { opacity: 1; }
        summary { cursor: pointer; }
        .words summary, .losses summary, .fold-all { font-size: .875rem; color: var(--muted); }
        .words summary { padding: .3rem 0; width: fit-content; }
        .words .table { margin: .5rem 0 0; }
        .loss-lists {
          display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.75rem 3rem;
          margin-top: 1.25rem;
        }
        .loss-lists h3 { font-size: 1rem; margin-bottom: .35rem; }
        .loss-lists h3 a { color: inherit; text-decoration: none; } .loss-lists h3 a:hover { text-decoration: underline; }
        .losses ol { list-style: none; margin: 0; padding: 0; }
        .losses li {
          display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); column-gap: .9rem; padding: .45rem 0;
          border-top: 1px solid var(--rule); line-height: 1.4;
        }
        .losses li strong { color: var(--loss); text-align: right; font-variant-numeric: tabular-nums; grid-row: span 2; }
        .losses li a { color: var(--text); text-decoration-color: var(--strong-rule); overflow-wrap: anywhere; }
        .losses li a:hover { text-decoration-color: currentColor; }
        .losses li span { font-size: .8125rem; color: var(--muted); font-variant-numeric: tabular-nums; }
        .losses li b { font-weight: inherit; white-space: nowrap; }
        .losses details { border-top: 1px solid var(--rule); }
        .losses summary { padding: .45rem 0; }
        .of-subject > .note { margin-bottom: 1rem; font-size: .9375rem; }
        .experiment { border-top: 1px solid var(--rule); scroll-margin-top: .5rem; }
        .experiment:last-child { border-bottom: 1px solid var(--rule); }
        .experiment > summary {
          display: grid; grid-template-columns: 1.1rem minmax(0, 1fr) auto; gap: 0 .5rem; align-items: baseline;
          padding: .7rem 0; list-style: none;
        }
        .experiment > summary::-webkit-details-marker { display: none; }
        .experiment > summary::before { content: "▸"; color: var(--muted); font-size: .875rem; transition: transform .12s; }
        .experiment[open] > summary::before { transform: rotate(90deg); }
        .experiment > summary:hover h3 { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em; }
        .experiment > summary h3 { margin: 0; }
        .experiment > summary i { font-style: normal; white-space: nowrap; }
        .experiment > summary span { color: var(--muted); font-size: .875rem; font-variant-numeric: tabular-nums; }
        .experiment > div { padding: .25rem 0 2.5rem; }
        .fold-all {
          font: inherit; font-size: .9375rem; color: var(--o0); background: none; border: 0; padding: 0; cursor: pointer;
          text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 1px;
        }
        @media (max-width: 860px) {
          .experiment > summary { grid-template-columns: 1.1rem minmax(0, 1fr); }
          .experiment > summary span { grid-column: 2; }
        }
        @media (prefers-reduced-motion: reduce) { .experiment > summary::before { transition: none; } }

        """;
}
