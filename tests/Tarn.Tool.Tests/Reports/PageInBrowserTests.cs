using Microsoft.Playwright;
using Tarn.Lab.Tests.Report;

namespace Tarn.Tool.Tests.Reports;

/// <summary>The page as a reader has it: in a browser, on a desk and on a phone, by day and by night.</summary>
public class PageInBrowserTests(ReportChromium chromium) : IClassFixture<ReportChromium>
{
    [SkippableTheory]
    [InlineData("report.html")]
    [InlineData(ReportChromium.Empty)]
    public async Task Loads_without_an_error_and_without_the_network(string file)
    {
        await using OpenedPage opened = await chromium.OpenAsync(file: file);

        Assert.Empty(opened.Errors);
        Assert.All(opened.Requests, url => Assert.Matches("^(file|data):", url));
        Assert.NotEmpty(await opened.Page.Locator("h1").InnerTextAsync());
    }

    [SkippableTheory]
    [InlineData(320)]
    [InlineData(390)]
    [InlineData(800)]
    [InlineData(1280)]
    public async Task Nothing_sticks_out_sideways(int width)
    {
        await using OpenedPage opened = await chromium.OpenAsync(width);
        (double contents, double window) = await opened.MeasureWidthAsync();

        Assert.True(contents <= window, $"{contents} wide in {window}");
    }

    [SkippableFact]
    public async Task The_first_screen_has_the_verdict_and_the_first_lost_site_on_a_desk()
    {
        await using OpenedPage opened = await chromium.OpenAsync(unfolded: false);

        Assert.StartsWith("1 call site loses ", await opened.Page.Locator("h1").InnerTextAsync(), StringComparison.Ordinal);
        ILocator first = opened.Page.Locator("#lost li h3").First;
        Assert.StartsWith("App.Uploads.Read in App.cs:", await first.InnerTextAsync(), StringComparison.Ordinal);
        Assert.InRange((await first.BoundingBoxAsync())!.Y, 0, 900);
    }

    [SkippableFact]
    public async Task Names_of_methods_are_text_and_stacks_unfold()
    {
        await using OpenedPage opened = await chromium.OpenAsync(unfolded: false);
        ILocator stack = opened.Page.Locator("#lost .stack").First;

        Assert.False(await stack.IsVisibleAsync());
        await opened.Page.Locator("#lost summary").First.ClickAsync();
        Assert.True(await stack.IsVisibleAsync());
        Assert.Contains(
            await opened.Page.Locator("#allocated td").AllInnerTextsAsync(),
            text => text.StartsWith("App.Json<class, Int32>.Write", StringComparison.Ordinal));
    }

    [SkippableFact]
    public async Task The_flame_graph_fills_its_width_with_the_widest_first()
    {
        await using OpenedPage opened = await chromium.OpenAsync();
        double[] widths = await opened.Page.EvaluateAsync<double[]>(
            "[...document.querySelectorAll('.flames > .callees > div')].map(e => e.getBoundingClientRect().width)");
        double all = await opened.Page.EvaluateAsync<double>("document.querySelector('.flames > .callees').getBoundingClientRect().width");

        Assert.Equal(widths.OrderDescending(), widths);
        Assert.InRange(widths.Sum(), all * 0.97, all + 1);
    }
}
