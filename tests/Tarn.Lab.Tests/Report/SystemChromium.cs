using Microsoft.Playwright;
using Tarn.Tests.Support;

namespace Tarn.Lab.Tests.Report;

/// <summary>
/// Pages in the system's Chromium, one browser for all tests of a class. Playwright brings its driver but no browser: nothing is
/// downloaded, and where no browser is found every test is skipped and says so. The short form of the tests skips them too.
/// </summary>
public abstract class SystemChromium : IAsyncLifetime
{
    private const string PathVariable = "TARN_CHROMIUM";

    private readonly string _directory = Directory.CreateTempSubdirectory("tarn-lab-").FullName;
    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public Task InitializeAsync() => StressLength.IsLong ? WritePagesAsync(_directory) : Task.CompletedTask;

    public async Task DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.CloseAsync();
        }

        _playwright?.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    /// <summary>Writes what the tests open.</summary>
    protected abstract Task WritePagesAsync(string directory);

    /// <summary>Opens a file or an address in a context of its own; every request, message and error is noted.</summary>
    internal async Task<OpenedPage> OpenAsync(
        int width = 1280, ColorScheme scheme = ColorScheme.Light, string file = "report.html", bool javaScript = true, bool unfolded = true,
        bool touch = false)
    {
        string executable = RequireBrowser();
        _browser ??= await LaunchAsync(executable);
        var context = await _browser.NewContextAsync(new()
        {
            ViewportSize = new() { Width = width, Height = 900 },
            ColorScheme = scheme,
            JavaScriptEnabled = javaScript,
            HasTouch = touch,
        });
        var opened = new OpenedPage(context, await context.NewPageAsync());
        await opened.Page.GotoAsync(new Uri(new Uri(_directory + Path.DirectorySeparatorChar), file).AbsoluteUri);
        if (unfolded && javaScript)
        {
            await opened.Page.EvaluateAsync("document.querySelectorAll('details').forEach(d => d.open = true)");
        }

        return opened;
    }

    /// <summary>Returns the browser's path. Skips the test where there is none, and in the short form, which writes no pages.</summary>
    protected static string RequireBrowser()
    {
        Skip.IfNot(StressLength.IsLong, $"The test uses a browser: {StressLength.LongVariable} asks for it.");
        string? executable = Find();
        Skip.If(executable is null, $"No Chromium found. Install it, or name one in {PathVariable}.");
        return executable!;
    }

    private async Task<IBrowser> LaunchAsync(string executable)
    {
        Environment.SetEnvironmentVariable("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        _playwright = await Playwright.CreateAsync();
        return await _playwright.Chromium.LaunchAsync(new()
        {
            ExecutablePath = executable,
            Args =
            [
                "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync",
            ],
        });
    }

    /// <summary>A path that was named must work; the usual places are only tried.</summary>
    private static string? Find()
    {
        if (Environment.GetEnvironmentVariable(PathVariable) is { Length: > 0 } named)
        {
            return named;
        }

        string[] names = OperatingSystem.IsWindows()
            ? ["chrome.exe", "msedge.exe"]
            : ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        var directories = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Prepend("/usr/bin");
        return names.SelectMany(name => directories.Select(directory => Path.Combine(directory, name))).FirstOrDefault(File.Exists);
    }
}
