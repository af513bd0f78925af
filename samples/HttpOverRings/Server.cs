using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Tarn;
using Tarn.SharedMemory.AspNetCore;

namespace Samples;

/// <summary>The web server: Kestrel on shared memory, and on Unix sockets for comparison. HTTP/1.1 and HTTP/2 have a name each.</summary>
internal static class Server
{
    private static int s_cancelled;

    /// <summary>The name of an end point: that of a listener, or of a socket in the folder for temporary files.</summary>
    internal static string NameFor(string name, Version version) => $"{name}-h{version.Major}";

    internal static string SocketFor(string name, Version version) => Path.Combine(Path.GetTempPath(), NameFor(name, version));

    /// <summary>Serves until the standard input ends, as it does when the other process ends.</summary>
    internal static async Task<int> RunAsync(string name)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Warning);

        // All that a server needs: the transport, and an end point with a name.
        builder.WebHost.UseTarnSharedMemory();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            foreach (Version version in Client.Versions)
            {
                HttpProtocols protocols = version.Major == 1 ? HttpProtocols.Http1 : HttpProtocols.Http2;
                kestrel.Listen(new SharedMemoryEndPoint(NameFor(name, version)), listen => listen.Protocols = protocols);
                kestrel.ListenUnixSocket(SocketFor(name, version), listen => listen.Protocols = protocols);
            }
        });
        await using WebApplication app = builder.Build();
        app.MapPost("/echo", static async (HttpContext context) =>
        {
            // The whole body first: a client of HTTP/1.1 reads nothing of the answer before it has sent everything.
            await using PooledMemoryStream body = new();
            await context.Request.Body.CopyToAsync(body);
            body.Position = 0;
            context.Response.ContentLength = body.Length;
            await body.CopyToAsync(context.Response.Body);
        });
        app.MapGet("/hang", HangAsync);
        app.MapGet("/cancelled", static () => Volatile.Read(ref s_cancelled).ToString(CultureInfo.InvariantCulture));
        await app.StartAsync();
        Console.WriteLine($"Serves at {name}");
        await Console.In.ReadToEndAsync();
        await app.StopAsync();
        return 0;
    }

    /// <summary>Answers when the client has gone, which the server counts.</summary>
    private static async Task HangAsync(HttpContext context)
    {
        await context.Response.StartAsync();
        await context.Response.Body.FlushAsync();
        try
        {
            await Task.Delay(Timeout.Infinite, context.RequestAborted);
        }
        catch (OperationCanceledException)
        {
            Interlocked.Increment(ref s_cancelled);
        }
    }
}
