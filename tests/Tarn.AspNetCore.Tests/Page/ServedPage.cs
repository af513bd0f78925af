using Microsoft.AspNetCore.Builder;
using Microsoft.Playwright;
using Tarn.AspNetCore.Tests.Support;
using Tarn.Lab.Tests.Report;

namespace Tarn.AspNetCore.Tests.Page;

/// <summary>The page of a server with a pool in use and a misused one, in the system's Chromium.</summary>
public sealed class ServedPage : SystemChromium, IAsyncLifetime
{
    internal const string PoolName = "frames of a camera with a long name";
    internal const string MisusedName = "misused";
    internal const string WholeName = "all requests";
    internal const string PartName = "uploads of a customer with a long name";

    /// <summary>A budget that is used up, and a part of it with a long name.</summary>
    private readonly BufferBudget _budget = new(64 << 20, WholeName);

    private readonly List<byte[]> _rented = [];
    private BufferBudget? _part;
    private Task? _waiting;
    private BufferPool<byte>? _pool;
    private RunningServer? _server;

    internal Uri Address => new(_server!.Http, "tarn");

    /// <summary>Opens the page and waits until it shows data.</summary>
    internal async Task<OpenedPage> OpenLiveAsync(int width = 1280, ColorScheme scheme = ColorScheme.Light)
    {
        _ = RequireBrowser();
        OpenedPage opened = await OpenAsync(width, scheme, Address.AbsoluteUri, unfolded: false);
        await opened.Page.Locator(".state.live").WaitForAsync();
        return opened;
    }

    async Task IAsyncLifetime.DisposeAsync()
    {
        await DisposeAsync();
        _rented.ForEach(array => _pool!.Return(array));
        if (_waiting is not null)
        {
            _part!.Return(60 << 20);
            await _waiting;
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }
    }

    protected override async Task WritePagesAsync(string directory)
    {
        _pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = PoolName });
        _rented.AddRange(Enumerable.Range(1, 20).Select(count => _pool.Rent(count * 10_000)));
        BufferPool<byte> misused =
            BufferPool<byte>.Create(new BufferPoolOptions { Name = MisusedName, Checks = BufferChecks.Returns });
        byte[] array = misused.Rent(100);
        misused.Return(array);
        Assert.Throws<InvalidOperationException>(() => misused.Return(array));
        _part = _budget.CreateChild(128 << 20, PartName);
        _part.Take(60 << 20);
        Assert.False(_part.TryTake(32 << 20));
        _waiting = _part.TakeAsync(5 << 20).AsTask();
        _server = await RunningServer.StartAsync(application => application.MapTarn().AllowAnonymous());
    }
}
