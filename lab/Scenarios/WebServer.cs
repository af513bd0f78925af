using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Tarn.Lab.Scenarios;

/// <summary>Kestrel on a free port of the loopback, without logging.</summary>
internal sealed class WebServer : IAsyncDisposable
{
    private readonly WebApplication _application;

    private WebServer(WebApplication application) => _application = application;

    public static async Task<WebServer> StartAsync(HttpProtocols protocols, Action<WebApplication> map, Action<int> onReady)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddResponseCompression();
        builder.WebHost.ConfigureKestrel(options => options.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = protocols));
        WebApplication application = builder.Build();
        map(application);
        await application.StartAsync();
        onReady(new Uri(application.Urls.First()).Port);
        return new WebServer(application);
    }

    public ValueTask DisposeAsync() => _application.DisposeAsync();
}
