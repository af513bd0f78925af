using System.Text.Json.Nodes;
using Microsoft.Playwright;
using Tarn.Lab.Tests.Report;

namespace Tarn.AspNetCore.Tests.Page;

/// <summary>The page as an operator has it: in a browser, on a desk and on a phone.</summary>
public sealed class PageInBrowserTests(ServedPage served) : IClassFixture<ServedPage>
{
    [SkippableTheory]
    [InlineData(1280)]
    [InlineData(390)]
    public async Task Shows_live_data_without_an_error_and_asks_nobody_else(int width)
    {
        await using OpenedPage opened = await served.OpenLiveAsync(width);

        Assert.Empty(opened.Errors);
        string server = served.Address.GetLeftPart(UriPartial.Authority);
        Assert.All(opened.Requests, url => Assert.StartsWith(server, url, StringComparison.Ordinal));
        Assert.StartsWith("Buffers of ", await opened.Page.Locator("h1").InnerTextAsync(), StringComparison.Ordinal);
        Assert.Contains(ServedPage.PoolName, await opened.Page.Locator("#sources td.name").AllInnerTextsAsync());
        Assert.Equal("kestrel", await opened.Page.Locator("#blocks h3").InnerTextAsync());
        Assert.Contains(
            await opened.Page.Locator("#incidents summary").AllInnerTextsAsync(),
            text => text.Contains($"DoubleReturn of a buffer of {ServedPage.MisusedName}", StringComparison.Ordinal));
    }

    [SkippableTheory]
    [InlineData(320)]
    [InlineData(390)]
    [InlineData(800)]
    [InlineData(1280)]
    public async Task Nothing_sticks_out_sideways(int width)
    {
        await using OpenedPage opened = await served.OpenLiveAsync(width);
        await opened.Page.EvaluateAsync("document.querySelectorAll('details').forEach(d => d.open = true)");
        (double contents, double window) = await opened.MeasureWidthAsync();

        Assert.True(contents <= window, $"{contents} wide in {window}");
    }

    [SkippableFact]
    public async Task A_budget_shows_what_waits_for_it()
    {
        await using OpenedPage opened = await served.OpenLiveAsync();
        ILocator whole = opened.Page.Locator($"#budgets tr:has(td.name:text-is('{ServedPage.WholeName}'))");
        ILocator part = opened.Page.Locator("#budgets tr", new() { HasText = ServedPage.PartName });

        Assert.Equal(
            [ServedPage.WholeName, "60 MiB", "64 MiB", "0", "–", "–", "0"], await whole.Locator("td").AllInnerTextsAsync());
        IReadOnlyList<string> cells = await part.Locator("td").AllInnerTextsAsync();
        Assert.Equal($"{ServedPage.PartName}\npart of {ServedPage.WholeName}", cells[0]);
        Assert.Equal(["65 MiB", "128 MiB", "1"], cells.Skip(1).Take(3));
        Assert.Matches("^[0-9.]+ (s|min)$", cells[4]);
        Assert.Equal("1", cells[6]);
        Assert.True(await opened.Page.Locator("#tiles .found", new() { HasText = "Waiting" }).IsVisibleAsync());
    }

    /// <summary>Resident memory is many times the pools' bytes; on one axis it would flatten their lines.</summary>
    [SkippableFact]
    public async Task Resident_memory_has_an_axis_of_its_own()
    {
        await using OpenedPage opened = await served.OpenLiveAsync();

        Assert.Equal(0, await opened.Page.Locator("#course .resident").CountAsync());
        Assert.Equal(1, await opened.Page.Locator("#resident path.line.resident").CountAsync());
        Assert.NotEqual(
            await opened.Page.Locator("#course text").Nth(2).TextContentAsync(),
            await opened.Page.Locator("#resident text").Nth(2).TextContentAsync());
    }

    [SkippableFact]
    public async Task The_chart_spans_what_was_seen_up_to_five_minutes()
    {
        await using OpenedPage opened = await served.OpenLiveAsync();
        Assert.Equal("Since this page was opened", await opened.Page.Locator("#span").InnerTextAsync());
        Assert.Contains("−10 s", await opened.Page.Locator("#course text").AllTextContentsAsync());

        int answers = 0;
        await opened.Page.RouteAsync("**/data.json", async route =>
        {
            IAPIResponse response = await route.FetchAsync();
            JsonObject data = JsonNode.Parse(await response.TextAsync())!.AsObject();
            data["at"] = data["at"]!.GetValue<DateTimeOffset>().AddMinutes(4 * ++answers);
            await route.FulfillAsync(new() { Response = response, Body = data.ToJsonString() });
        });
        await opened.Page.Locator("#course text", new() { HasText = "−4 min" }).WaitForAsync();
        await opened.Page.Locator("#span", new() { HasText = "Last five minutes" }).WaitForAsync();

        Assert.Contains("−5 min", await opened.Page.Locator("#course text").AllTextContentsAsync());
    }

    [SkippableFact]
    public async Task An_incident_that_is_open_stays_open_when_new_data_arrive()
    {
        await using OpenedPage opened = await served.OpenLiveAsync();
        ILocator incident = opened.Page.Locator("#incidents details").First;
        await incident.Locator("summary").ClickAsync();
        string before = await opened.Page.Locator("#state").InnerTextAsync();
        await opened.Page.Locator("#state").Filter(new() { HasNotText = before }).WaitForAsync();

        Assert.True(await incident.Locator("pre").IsVisibleAsync());
    }

    [SkippableFact]
    public async Task A_server_that_does_not_answer_is_said_and_the_last_data_stay()
    {
        await using OpenedPage opened = await served.OpenLiveAsync();
        await opened.Page.RouteAsync("**/data.json", route => route.AbortAsync());
        await opened.Page.Locator(".state.lost").WaitForAsync();

        Assert.StartsWith("no data: ", await opened.Page.Locator("#state").InnerTextAsync(), StringComparison.Ordinal);
        Assert.Contains(ServedPage.PoolName, await opened.Page.Locator("td.name").AllInnerTextsAsync());
    }
}
