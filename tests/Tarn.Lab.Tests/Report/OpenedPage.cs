using Microsoft.Playwright;

namespace Tarn.Lab.Tests.Report;

/// <summary>A page in a browser and everything it asked for and complained of.</summary>
internal sealed class OpenedPage : IAsyncDisposable
{
    private readonly IBrowserContext _context;

    public OpenedPage(IBrowserContext context, IPage page)
    {
        _context = context;
        Page = page;
        page.Request += (_, request) => Requests.Add(request.Url);
        page.PageError += (_, error) => Errors.Add(error);
        page.Console += (_, message) => Errors.Add($"{message.Type}: {message.Text}");
    }

    public IPage Page { get; }

    public List<string> Requests { get; } = [];

    public List<string> Errors { get; } = [];

    /// <summary>The width of the page's contents and of the window: wider contents stick out sideways.</summary>
    public async Task<(double Contents, double Window)> MeasureWidthAsync()
    {
        double[] widths = await Page.EvaluateAsync<double[]>(
            "[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]");
        return (widths[0], widths[1]);
    }

    public async ValueTask DisposeAsync() => await _context.CloseAsync();
}
