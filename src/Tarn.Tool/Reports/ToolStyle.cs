namespace Tarn.Tool.Reports;

/// <summary>What only this page has; the rest of its style is shared.</summary>
internal static class ToolStyle
{
    public const string Css = """

        .warning { border-left: 3px solid var(--loss); background: var(--wash); padding: .7rem 1rem; max-width: none; }
        .sites { list-style: none; margin: 1.25rem 0 0; padding: 0; }
        .sites > li { border-top: 1px solid var(--rule); padding: 1.1rem 0 1.1rem 1rem; box-shadow: inset 3px 0 0 var(--rule); }
        .sites > li.likely { box-shadow: inset 3px 0 0 var(--loss); }
        .sites h3 { overflow-wrap: anywhere; }
        .sites .note { margin: 0 0 .3rem; overflow-wrap: anywhere; max-width: none; }
        .sites .finding b { color: var(--loss); margin-right: .35em; }
        .sites .fold { margin-top: .2rem; }
        .sites .fold summary { padding: .2rem 0; font-size: .9375rem; cursor: pointer; }
        .stack {
          margin: .3rem 0 .6rem; padding-left: 2.2rem; font: .8125rem/1.7 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace;
        }
        .stack li { overflow-wrap: anywhere; }
        .flames { margin: 1.75rem 0 0; }
        .flames .callees { display: flex; align-items: flex-start; width: 100%; }
        .flames .callees > div { min-width: 0; overflow: hidden; padding-right: 1px; }
        .flames span {
          display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; font-size: .75rem; line-height: 1.35rem;
          padding: 0 .3rem; margin-bottom: 1px; background: var(--ours-wash); border-radius: 2px; color: var(--text);
        }
        .flames span:hover { background: var(--o0); color: var(--bg); }
        td.text { overflow-wrap: anywhere; }

        """;
}
