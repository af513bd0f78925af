using Microsoft.Playwright;

namespace Tarn.Lab.Tests.Report;

/// <summary>The first screen of the page, in a browser: the strips, and the folds below them.</summary>
public class FirstScreenInBrowserTests(Chromium chromium) : IClassFixture<Chromium>
{
    private const string LossRow = "#comparison-streams-byte";
    private const string LossDot = "svg.strip:visible .dot[href='#comparison-streams-byte']";

    [SkippableTheory]
    [InlineData(1280)]
    [InlineData(390)]
    public async Task Every_measured_comparison_is_a_dot_with_a_name_on_its_side_of_equal(int width)
    {
        await using var opened = await chromium.OpenAsync(width, unfolded: false);
        var strip = opened.Page.Locator("svg.strip:visible");

        Assert.Equal(1, await strip.CountAsync());
        var problems = await strip.EvaluateAsync<string[]>("""
            svg => {
              const dots = [...svg.querySelectorAll('a.dot')], box = svg.viewBox.baseVal;
              const middle = svg.querySelector('.equal').x1.baseVal.value;
              const problems = dots.length === 17 ? [] : [`${dots.length} dots`];
              for (const dot of dots) {
                const { e, f } = dot.transform.baseVal[0].matrix, name = dot.getAttribute('aria-label');
                if (dot.matches('.win') !== name.endsWith(', win')) problems.push('unlike its name: ' + name);
                if (dot.classList.contains('win') && e >= middle) problems.push('a win at the right: ' + name);
                if (dot.classList.contains('loss') && e <= middle) problems.push('a loss at the left: ' + name);
                if (e < 0 || e > box.width || f < 0 || f > box.height) problems.push('outside: ' + name);
                if (!document.querySelector(dot.getAttribute('href'))) problems.push('leads nowhere: ' + name);
              }
              return problems;
            }
            """);
        Assert.True(problems.Length == 0, string.Join("\n", problems));
    }

    [SkippableTheory]
    [InlineData(1280)]
    [InlineData(390)]
    public async Task Labels_of_the_strips_do_not_overlap_each_other_or_the_dots(int width)
    {
        await using var opened = await chromium.OpenAsync(width, unfolded: false);

        var meeting = await opened.Page.Locator("svg.strip:visible").EvaluateAsync<string[]>("""
            svg => {
              const boxes = [...svg.querySelectorAll('text, .dot')].map(e => {
                const { left, right, top, bottom } = e.getBoundingClientRect();
                return { label: e.matches('text'), name: e.textContent || e.getAttribute('aria-label'), left, right, top, bottom };
              });
              return boxes.flatMap((a, i) => boxes.slice(i + 1)
                .filter(b => a.label || b.label)
                .filter(b => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
                .map(b => a.name + ' / ' + b.name));
            }
            """);
        Assert.True(meeting.Length == 0, string.Join("\n", meeting));
        var smallest = await opened.Page.Locator("svg.strip:visible").EvaluateAsync<double>("""
            svg => Math.min(...[...svg.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize)))
              * svg.clientWidth / svg.viewBox.baseVal.width
            """);
        Assert.True(smallest >= 10.9, $"text of {smallest} pixels");
    }

    [SkippableFact]
    public async Task The_first_screen_holds_the_verdict_and_the_whole_picture()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);

        foreach (var part in (string[])["h1", ".finding >> nth=1", "svg.strip:visible"])
        {
            var box = await opened.Page.Locator(part).BoundingBoxAsync();
            Assert.True(box is { Y: >= 0, Height: > 0 } && box.Y + box.Height <= 900, $"{part}: {box?.Y} and {box?.Height}");
        }
    }

    [SkippableFact]
    public async Task Dots_are_reached_and_followed_from_the_keyboard()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);
        var (page, keyboard) = (opened.Page, opened.Page.Keyboard);
        Task<string> FocusedAsync() => page.EvaluateAsync<string>("document.activeElement.getAttribute('href')");

        // A name, then its strip, then the next name: a strip of fourteen dots is one stop.
        await page.Locator("svg.strip:visible a").First.FocusAsync();
        await keyboard.PressAsync("Tab");
        Assert.Equal("#comparison-idle-memory", await FocusedAsync());
        await Assertions.Expect(page.Locator("#tip")).ToContainTextAsync("Retained ten seconds after a burst");
        await keyboard.PressAsync("ArrowRight");
        Assert.Equal("#comparison-handed-over", await FocusedAsync());
        await keyboard.PressAsync("End");
        Assert.Equal("#comparison-working-set", await FocusedAsync());
        await Assertions.Expect(page.Locator("#tip")).ToContainTextAsync("2.40×");
        await keyboard.PressAsync("Tab");
        Assert.Equal("#subject-Native-heap", await FocusedAsync());
        await keyboard.PressAsync("Tab");
        await keyboard.PressAsync("ArrowDown");
        Assert.Equal("#comparison-streams-byte", await FocusedAsync());
        await keyboard.PressAsync("Enter");

        await Assertions.Expect(page.Locator(LossRow)).ToBeInViewportAsync();
        await Assertions.Expect(page.Locator("#tip")).ToBeHiddenAsync();
        Assert.Empty(opened.Errors);
    }

    [SkippableFact]
    public async Task Pointing_at_a_dot_shows_its_figures_and_clicking_it_leads_to_them()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);
        var (page, tip) = (opened.Page, opened.Page.Locator("#tip"));
        var (x, y) = await CentreAsync(page.Locator(LossDot));

        await page.Mouse.MoveAsync(x + 5, y + 5);
        await Assertions.Expect(tip).ToContainTextAsync("Single bytes, against <MemoryStream> & more");
        await Assertions.Expect(tip).ToContainTextAsync("23.6 ns");
        await Assertions.Expect(tip).ToContainTextAsync("1.18× (1.14× to 1.22×)");
        await page.Mouse.MoveAsync(x + 60, y);
        await Assertions.Expect(tip).ToBeHiddenAsync();

        await page.Mouse.ClickAsync(x + 5, y + 5);
        await Assertions.Expect(page.Locator(LossRow)).ToBeInViewportAsync();
    }

    [SkippableFact]
    public async Task A_finger_reads_a_dot_first_and_follows_it_with_a_second_tap()
    {
        await using var opened = await chromium.OpenAsync(390, unfolded: false, touch: true);
        var page = opened.Page;
        await page.Locator("svg.strip:visible").ScrollIntoViewIfNeededAsync();
        var (x, y) = await CentreAsync(page.Locator(LossDot));

        await page.Touchscreen.TapAsync(x + 4, y + 9);
        await Assertions.Expect(page.Locator("#tip")).ToContainTextAsync("1.18×");
        await Assertions.Expect(page.Locator(LossRow)).ToBeHiddenAsync();

        await page.Touchscreen.TapAsync(x + 4, y + 9);
        await Assertions.Expect(page.Locator(LossRow)).ToBeInViewportAsync();
    }

    [SkippableFact]
    public async Task Experiments_start_folded_and_unfold_by_mouse_and_by_key()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);
        var (summary, table) = (opened.Page.Locator("#section-threads > summary"), opened.Page.Locator("#table-threads"));

        Assert.Equal(0, await opened.Page.Locator("details[open]").CountAsync());
        await Assertions.Expect(summary).ToContainTextAsync("3 comparisons, median 0.47×, no loss");
        await Assertions.Expect(table).ToBeHiddenAsync();
        await summary.ClickAsync();
        await Assertions.Expect(table).ToBeVisibleAsync();
        await summary.PressAsync("Enter");
        await Assertions.Expect(table).ToBeHiddenAsync();
    }

    [SkippableFact]
    public async Task A_loss_leads_to_its_comparison_and_unfolds_only_that_experiment()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);

        await opened.Page.Locator("#losses a[href='#comparison-streams-byte']").ClickAsync();

        await Assertions.Expect(opened.Page.Locator(LossRow)).ToBeInViewportAsync();
        Assert.Equal(1, await opened.Page.Locator("details[open]").CountAsync());
    }

    [SkippableFact]
    public async Task One_button_unfolds_everything_and_folds_it_again()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);
        var (button, closed) = (opened.Page.Locator(".fold-all"), opened.Page.Locator("details:not([open])"));

        await button.ClickAsync();
        Assert.Equal(0, await closed.CountAsync());
        await Assertions.Expect(button).ToHaveTextAsync("Fold everything");
        await button.ClickAsync();
        Assert.Equal(0, await opened.Page.Locator("details[open]").CountAsync());
    }

    [SkippableFact]
    public async Task Paper_shows_everything_and_the_screen_is_as_before_afterwards()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);

        await opened.Page.EvaluateAsync("dispatchEvent(new Event('beforeprint'))");
        Assert.Equal(0, await opened.Page.Locator("details:not([open])").CountAsync());
        await opened.Page.EvaluateAsync("dispatchEvent(new Event('afterprint'))");
        Assert.Equal(0, await opened.Page.Locator("details[open]").CountAsync());
    }

    [SkippableFact]
    public async Task Missed_targets_are_a_table_at_the_end_the_farthest_first()
    {
        await using var opened = await chromium.OpenAsync(unfolded: false);

        Assert.Equal("run", await opened.Page.Locator("#targets + section").GetAttributeAsync("id"));
        Assert.Equal(
            ["+60.0 %", "+17.1 %", "+9.2 %", "+7.3 %"],
            await opened.Page.Locator("#targets tbody td:last-child").AllInnerTextsAsync());
        Assert.Equal("0.35×", await opened.Page.Locator("#targets tbody tr:nth-child(2) td:nth-child(3)").InnerTextAsync());
    }

    private static async Task<(float X, float Y)> CentreAsync(ILocator dot) =>
        await dot.BoundingBoxAsync() is { } box
            ? (box.X + (box.Width / 2), box.Y + (box.Height / 2))
            : throw new InvalidOperationException("The dot is not drawn.");
}
