using Microsoft.Playwright;

namespace Tarn.Lab.Tests.Report;

/// <summary>The page as a reader has it: in a browser, on a desk and on a phone, by day and by night.</summary>
public class ReportInBrowserTests(Chromium chromium) : IClassFixture<Chromium>
{
    [SkippableTheory]
    [InlineData("report.html")]
    [InlineData("empty/report.html")]
    public async Task Loads_without_an_error_and_without_the_network(string file)
    {
        await using var opened = await chromium.OpenAsync(file: file);

        // Requests and errors caused by hovering and sorting count too.
        await opened.Page.Mouse.MoveAsync(600, 400);
        foreach (var head in await opened.Page.Locator("th button:visible").AllAsync())
        {
            await head.ClickAsync();
        }

        Assert.Empty(opened.Errors);
        Assert.All(opened.Requests, url => Assert.Matches("^(file|data):", url));
        Assert.Single(opened.Requests, url => url.StartsWith("file:", StringComparison.Ordinal));
        Assert.NotEmpty(await opened.Page.Locator("h1").InnerTextAsync());
    }

    [SkippableFact]
    public async Task A_table_sorts_by_raw_value_when_its_head_is_pressed()
    {
        await using var opened = await chromium.OpenAsync();
        var head = opened.Page.Locator("#table-odd th").Nth(3);

        await head.Locator("button").ClickAsync();
        Assert.Equal("ascending", await head.GetAttributeAsync("aria-sort"));
        Assert.Equal(["0 B", "16 B", "1.50 KiB", "100 kB", "1 TB"], await ColumnAsync(opened.Page, "#table-odd", 4));

        await head.Locator("button").ClickAsync();
        Assert.Equal("descending", await head.GetAttributeAsync("aria-sort"));
        Assert.Equal(["1 TB", "100 kB", "1.50 KiB", "16 B", "0 B"], await ColumnAsync(opened.Page, "#table-odd", 4));
    }

    [SkippableFact]
    public async Task A_folded_table_of_many_rows_sorts_by_number_across_units()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);
        await opened.Page.Locator("#section-allocation > summary").ClickAsync();
        await opened.Page.Locator("#section-allocation .fold > summary").ClickAsync();
        await opened.Page.Locator("#table-allocation th button").Nth(2).ClickAsync();

        var shown = await ColumnAsync(opened.Page, "#table-allocation", 3);
        var sorted = await opened.Page.EvaluateAsync<double[]>(
            "[...document.querySelectorAll('#table-allocation tbody td:nth-child(3)')].map(c => Number(c.dataset.sort))");

        Assert.Equal(SampleReport.Build().Sections[0].Tables[0].Rows.Select(r => (double)r[2]!).Order(), sorted);
        Assert.EndsWith(" ns", shown[0], StringComparison.Ordinal);
        Assert.EndsWith(" ms", shown[^1], StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task Missing_measurements_stay_last_in_either_order_and_only_one_column_is_marked()
    {
        await using var opened = await chromium.OpenAsync();
        var heads = opened.Page.Locator("#table-odd th");

        await heads.Nth(0).Locator("button").ClickAsync();
        await heads.Nth(1).Locator("button").ClickAsync();
        Assert.Equal(["-3.00 ns", "0 ns", "1.50 ns", "–", "–"], await ColumnAsync(opened.Page, "#table-odd", 2));
        await heads.Nth(1).Locator("button").ClickAsync();
        Assert.Equal(["1.50 ns", "0 ns", "-3.00 ns", "–", "–"], await ColumnAsync(opened.Page, "#table-odd", 2));
        Assert.Equal(1, await opened.Page.Locator("#table-odd th[aria-sort]").CountAsync());
    }

    [SkippableFact]
    public async Task A_table_sorts_from_the_keyboard()
    {
        await using var opened = await chromium.OpenAsync();
        var heads = opened.Page.Locator("#table-threads th");

        await heads.Nth(0).Locator("button").FocusAsync();
        await opened.Page.Keyboard.PressAsync("Tab");
        await opened.Page.Keyboard.PressAsync("Enter");
        await opened.Page.Keyboard.PressAsync("Space");

        Assert.Equal("descending", await heads.Nth(1).GetAttributeAsync("aria-sort"));
        Assert.Equal(["10", "4", "2", "32"], await ColumnAsync(opened.Page, "#table-threads", 1));
    }

    [SkippableFact]
    public async Task On_a_phone_rows_are_cards_and_a_list_sorts_them()
    {
        await using var opened = await chromium.OpenAsync(390);
        var list = opened.Page.Locator("#table-large-arrays select");

        Assert.False(await opened.Page.Locator("#table-large-arrays thead").IsVisibleAsync());
        await list.SelectOptionAsync(new SelectOptionValue { Label = "Mean, highest first" });
        Assert.Equal("new byte[]", (await ColumnAsync(opened.Page, "#table-large-arrays", 1))[0]);
        await list.SelectOptionAsync(new SelectOptionValue { Label = "order of the table" });
        Assert.Equal("BufferPool<byte>", (await ColumnAsync(opened.Page, "#table-large-arrays", 1))[0]);
    }

    [SkippableTheory]
    [InlineData(320, true)]
    [InlineData(390, true)]
    [InlineData(390, false)]
    [InlineData(700, true)]
    [InlineData(900, true)]
    [InlineData(1280, true)]
    public async Task Nothing_sticks_out_sideways(int width, bool unfolded)
    {
        await using var opened = await chromium.OpenAsync(width, unfolded: unfolded);
        (double contents, double window) = await opened.MeasureWidthAsync();
        var outside = await opened.Page.EvaluateAsync<string[]>("""
            () => [...document.querySelectorAll('main *')]
              .filter(e => {
                const b = e.getBoundingClientRect();
                return b.width > 0 && b.height > 0 && (b.right > document.documentElement.clientWidth + 0.5 || b.left < -0.5);
              })
              .map(e => e.outerHTML.slice(0, 120))
            """);

        Assert.True(outside.Length == 0, string.Join("\n", outside));
        Assert.True(contents <= window, $"{contents} wide in {window}");
    }

    [SkippableFact]
    public async Task Each_scheme_has_its_own_colours()
    {
        await using var light = await chromium.OpenAsync();
        await using var dark = await chromium.OpenAsync(scheme: ColorScheme.Dark);

        const string Background = "getComputedStyle(document.body).backgroundColor";
        Assert.NotEqual(await light.Page.EvaluateAsync<string>(Background), await dark.Page.EvaluateAsync<string>(Background));
        const string Curve = "getComputedStyle(document.querySelector('.ours .curve')).stroke";
        Assert.NotEqual(await light.Page.EvaluateAsync<string>(Curve), await dark.Page.EvaluateAsync<string>(Curve));
    }

    [SkippableTheory]
    [InlineData(ColorScheme.Light, 1280)]
    [InlineData(ColorScheme.Dark, 1280)]
    [InlineData(ColorScheme.Light, 390)]
    [InlineData(ColorScheme.Dark, 390)]
    public async Task Every_text_has_contrast_and_so_has_every_line(ColorScheme scheme, int width)
    {
        await using var opened = await chromium.OpenAsync(width, scheme);
        var poor = await opened.Page.EvaluateAsync<string[]>("""
            () => {
              const parse = c => (c.match(/[\d.]+/g) ?? []).map(Number);
              const luminance = c => {
                const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const ratio = (a, b) => {
                const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
                return (x + 0.05) / (y + 0.05);
              };
              const behind = e => {
                for (; e; e = e.parentElement) {
                  const c = parse(getComputedStyle(e).backgroundColor);
                  if (c.length === 3 || c[3] === 1) return c;
                }
                return [255, 255, 255];
              };
              const poor = new Set();
              const check = (e, colour, least) => {
                const r = ratio(parse(colour).slice(0, 3), behind(e).slice(0, 3));
                if (!(r >= least)) poor.add(`${e.tagName}.${e.className.baseVal ?? e.className} ${colour} ${r.toFixed(2)}`);
              };
              for (const e of document.querySelectorAll('main *')) {
                if (e.getClientRects().length === 0) continue;
                if ([...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
                  check(e, e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color, 4.5);
                if (e.matches('.curve, .point.open')) check(e, getComputedStyle(e).stroke, 3);
                if (e.matches('.dot:not(.no-difference) .shape, .middle path')) check(e, getComputedStyle(e).fill, 3);
                if (e.matches('.dot.no-difference .shape')) check(e, getComputedStyle(e).stroke, 3);
                if (e.matches('.point:not(.open), .bar') && e.closest('svg')) check(e, getComputedStyle(e).fill, 3);
                if (e.matches('.ratio .bar')) check(e, getComputedStyle(e).backgroundColor, 1);
              }
              return [...poor];
            }
            """);

        Assert.True(poor.Length == 0, string.Join("\n", poor));
    }

    [SkippableFact]
    public async Task Without_scripts_the_page_is_complete()
    {
        await using var opened = await chromium.OpenAsync(javaScript: false);

        await Assertions.Expect(opened.Page.Locator("h1")).ToContainTextAsync("Tarn wins 11 of 17");
        await Assertions.Expect(opened.Page.Locator(".comparisons li")).ToHaveCountAsync(17);
        await Assertions.Expect(opened.Page.Locator("#table-allocation tbody tr")).ToHaveCountAsync(216);
    }

    [SkippableFact]
    public async Task Bars_of_comparisons_reach_to_the_side_of_the_one_that_takes_less()
    {
        await using var opened = await chromium.OpenAsync();
        async Task<double[]> BarAsync(string id) => await opened.Page.Locator($"#comparison-{id} .ratio").EvaluateAsync<double[]>("""
            r => {
              const box = name => r.querySelector(name).getBoundingClientRect();
              const o = r.getBoundingClientRect(), b = box('.bar'), w = box('.whisker');
              return [b.left, b.right, w.left, w.right].map(x => (x - o.left) / o.width);
            }
            """);

        var (win, loss) = (await BarAsync("single-1kib"), await BarAsync("working-set"));

        Assert.Equal(0.5, win[1], 2);
        Assert.InRange(win[0], 0.3, 0.45);
        Assert.InRange(win[0], win[2], win[3]);
        Assert.Equal(0.5, loss[0], 2);
        Assert.InRange(loss[1], loss[2], loss[3]);
        Assert.Equal("missed", (await opened.Page.Locator("#comparison-first-use .target").InnerTextAsync()).Split(' ')[^1]);
        Assert.Equal("no difference", await opened.Page.Locator("#comparison-lease-1kib .outcome").InnerTextAsync());
    }

    private static async Task<IReadOnlyList<string>> ColumnAsync(IPage page, string table, int column) =>
        await page.Locator($"{table} tbody td:nth-child({column})").AllInnerTextsAsync();
}
