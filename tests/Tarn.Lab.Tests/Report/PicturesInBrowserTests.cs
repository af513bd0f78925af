using Microsoft.Playwright;

namespace Tarn.Lab.Tests.Report;

/// <summary>The pictures as a browser draws them.</summary>
public class PicturesInBrowserTests(Chromium chromium) : IClassFixture<Chromium>
{
    [SkippableTheory]
    [InlineData(1280, "wide")]
    [InlineData(390, "narrow")]
    public async Task Every_picture_is_drawn(int width, string rendering)
    {
        await using var opened = await chromium.OpenAsync(width);
        var pictures = opened.Page.Locator("svg.picture:visible");

        Assert.Equal(SampleReport.Build().Sections.Sum(s => s.Charts.Count), await pictures.CountAsync());
        foreach (var picture in await pictures.AllAsync())
        {
            var name = await picture.GetAttributeAsync("aria-label");
            Assert.Equal("img", await picture.GetAttributeAsync("role"));
            Assert.Contains(rendering, await picture.GetAttributeAsync("class"), StringComparison.Ordinal);
            var box = await picture.BoundingBoxAsync();
            Assert.True(box is { Width: > 300, Height: > 20 }, name);
            var problems = await picture.EvaluateAsync<string[]>("""
                svg => {
                  const problems = [];
                  for (const e of svg.querySelectorAll('path, line, rect, text')) {
                    const b = e.getBBox();
                    if (![b.x, b.y, b.width, b.height].every(Number.isFinite)) problems.push('not finite: ' + e.outerHTML);
                    if (/NaN|Infinity|∞/.test(e.getAttribute('d') ?? '')) problems.push('path: ' + e.outerHTML);
                    if (e.classList.contains('point') && !(b.width > 0 && b.height > 0)) problems.push('empty point: ' + e.outerHTML);
                  }
                  return problems;
                }
                """);
            Assert.True(problems.Length == 0, $"{name}: {string.Join("; ", problems)}");
        }
    }

    [SkippableTheory]
    [InlineData(1280)]
    [InlineData(821)]
    [InlineData(390)]
    public async Task Pictures_show_their_curves_and_legible_text(int width)
    {
        await using var opened = await chromium.OpenAsync(width);
        var picture = opened.Page.Locator("#chart-allocation svg:visible");

        Assert.Equal(
            11, await picture.EvaluateAsync<int>("s => [...s.querySelectorAll('.curve')].filter(c => c.getTotalLength() > 200).length"));
        Assert.Equal(11 * 24, await picture.EvaluateAsync<int>("s => s.querySelectorAll('g.series > .point').length - 11"));
        var smallest = await opened.Page.EvaluateAsync<double>("""
            () => Math.min(...[...document.querySelectorAll('svg.picture')].filter(s => s.clientWidth > 0).flatMap(s =>
              [...s.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize) * s.clientWidth / s.viewBox.baseVal.width)))
            """);
        Assert.True(smallest >= 10, $"text of {smallest} pixels");
    }

    [SkippableTheory]
    [InlineData("allocation")]
    [InlineData("memory")]
    public async Task Labels_of_a_picture_do_not_meet(string id)
    {
        foreach (var width in (int[])[1280, 390])
        {
            await using var opened = await chromium.OpenAsync(width);
            var meeting = await opened.Page.Locator($"#chart-{id} svg:visible").EvaluateAsync<string[]>("""
                svg => {
                  const texts = [...svg.querySelectorAll('text')].map(t => ({ text: t.textContent, box: t.getBoundingClientRect() }));
                  return texts.flatMap((a, i) => texts.slice(i + 1)
                    .filter(b => a.box.left < b.box.right && b.box.left < a.box.right)
                    .filter(b => a.box.top + 3 < b.box.bottom && b.box.top + 3 < a.box.bottom)
                    .map(b => a.text + ' / ' + b.text));
                }
                """);
            Assert.True(meeting.Length == 0, $"at {width}: {string.Join("; ", meeting)}");
        }
    }

    [SkippableFact]
    public async Task Pointing_at_a_picture_shows_every_value_there()
    {
        await using var opened = await chromium.OpenAsync();
        var point = opened.Page.Locator("#chart-threads svg.wide g.ours .point").Nth(2);
        await point.ScrollIntoViewIfNeededAsync();
        var box = await point.BoundingBoxAsync();

        await opened.Page.Mouse.MoveAsync(box!.X + box.Width / 2, box.Y + box.Height / 2);

        Assert.Equal(
            "4\nBufferPool<byte>\n610 Mop/s\nArrayPool<byte>.Shared\n330 Mop/s", await opened.Page.Locator("#tip").InnerTextAsync());
        await opened.Page.Mouse.MoveAsync(5, 5);
        Assert.True(await opened.Page.Locator("#tip").IsHiddenAsync());
    }

    [SkippableFact]
    public async Task A_finger_lifted_leaves_the_values_to_be_read()
    {
        await using var opened = await chromium.OpenAsync(390);
        var point = opened.Page.Locator("#chart-threads svg.narrow g.ours .point").Nth(2);
        await point.ScrollIntoViewIfNeededAsync();
        var box = await point.BoundingBoxAsync();

        var touch = new { clientX = (double)box!.X + 3, clientY = (double)box.Y + 3, pointerType = "touch", bubbles = true };
        await opened.Page.Locator("#chart-threads svg.narrow").DispatchEventAsync("pointerdown", touch);
        await opened.Page.Locator("#chart-threads svg.narrow").DispatchEventAsync("pointerleave", touch);
        Assert.Contains("610 Mop/s", await opened.Page.Locator("#tip").InnerTextAsync(), StringComparison.Ordinal);

        await opened.Page.Locator("#chart-threads h4").DispatchEventAsync("pointerdown", new { pointerType = "touch", bubbles = true });
        Assert.True(await opened.Page.Locator("#tip").IsHiddenAsync());
    }

    [SkippableFact]
    public async Task A_standalone_picture_follows_the_scheme_too()
    {
        await using var light = await chromium.OpenAsync(file: "allocation.svg");
        await using var dark = await chromium.OpenAsync(file: "allocation.svg", scheme: ColorScheme.Dark);

        const string Background = "getComputedStyle(document.querySelector('.background')).fill";
        Assert.Equal("rgb(251, 251, 249)", await light.Page.EvaluateAsync<string>(Background));
        Assert.Equal("rgb(17, 24, 26)", await dark.Page.EvaluateAsync<string>(Background));
    }
}
