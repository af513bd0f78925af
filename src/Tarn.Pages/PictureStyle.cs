namespace Tarn.Pages;

/// <summary>
/// The colours of pictures and how their parts are drawn, shared by the page and by standalone files. Every series colour has at
/// least 3 : 1 against its background in both schemes; lines differ by marker and dash as well.
/// </summary>
internal static class PictureStyle
{
    public const string LightColours =
        "--bg:#fbfbf9;--text:#1b2527;--muted:#55656a;--rule:#e1e5e3;--strong-rule:#aab5b5;"
        + "--win:#00716f;--loss:#a8450b;--same:#55656a;--wash:#eef3f2;"
        + "--o0:#00716f;--o1:#0b4f8a;--o2:#4b7a14;"
        + "--p0:#b4571a;--p1:#7d4fb0;--p2:#5d6f78;--p3:#b03a6f;--p4:#85700b;--p5:#3f74c4;--p6:#8d5a44;--p7:#4d8254;--p8:#a04848;";

    public const string DarkColours =
        "--bg:#11181a;--text:#e3e9e8;--muted:#9dadb0;--rule:#273236;--strong-rule:#55666b;"
        + "--win:#45c9c1;--loss:#f0995b;--same:#9dadb0;--wash:#1d282b;"
        + "--o0:#45c9c1;--o1:#6fb3f2;--o2:#9ccc52;"
        + "--p0:#eb975a;--p1:#b898e8;--p2:#9cadb5;--p3:#ec84ae;--p4:#d3b748;--p5:#82a9ee;--p6:#cf9a82;--p7:#86c08d;--p8:#e58f8f;";

    /// <summary>Rules for the inside of a picture, which use the variables above.</summary>
    public const string Rules = """
        .picture text {
          font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
          fill: var(--text); font-variant-numeric: tabular-nums;
        }
        .picture .tick, .picture .axis, .picture .marklabel { fill: var(--muted); }
        .picture .head { font-weight: 600; }
        .picture .strong { font-weight: 650; fill: var(--c, var(--text)); }
        .picture .grid { stroke: var(--rule); stroke-width: 1; }
        .picture .base { stroke: var(--strong-rule); stroke-width: 1; }
        .picture .mark { stroke: var(--strong-rule); stroke-width: 1; stroke-dasharray: 2 3; }
        .picture .curve { fill: none; stroke: var(--c); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
        .picture .ours .curve { stroke-width: 3; }
        .picture .published .curve { stroke-dasharray: 5 4; stroke-width: 1.4; }
        .picture .point { fill: var(--c); stroke: var(--bg); stroke-width: 1; }
        .picture .point.open { fill: var(--bg); stroke: var(--c); stroke-width: 1.5; }
        .picture .leader { stroke: var(--c); stroke-width: 1; opacity: .45; fill: none; }
        .picture .bar { fill: var(--c); }
        .picture .published .bar { fill: var(--bg); stroke: var(--c); stroke-width: 1.4; stroke-dasharray: 4 3; }
        .c-o0 { --c: var(--o0); } .c-o1 { --c: var(--o1); } .c-o2 { --c: var(--o2); }
        .c-p0 { --c: var(--p0); } .c-p1 { --c: var(--p1); } .c-p2 { --c: var(--p2); } .c-p3 { --c: var(--p3); } .c-p4 { --c: var(--p4); }
        .c-p5 { --c: var(--p5); } .c-p6 { --c: var(--p6); } .c-p7 { --c: var(--p7); } .c-p8 { --c: var(--p8); }
        """;
}
