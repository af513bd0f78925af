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

    public async ValueTask DisposeAsync() => await _context.CloseAsync();
}
