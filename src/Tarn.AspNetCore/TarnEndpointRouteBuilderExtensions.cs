using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Tarn;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Adds Tarn's page to an application.</summary>
public static class TarnEndpointRouteBuilderExtensions
{
    private const string Data = "/data.json";

    /// <summary>
    /// Maps a page that shows pools, heaps, streams and incidents live, and the same as JSON at <c>data.json</c> below it.
    /// </summary>
    /// <remarks>
    /// <para>It names types, methods and the sizes of what they hold, so it is closed: it answers in the environment <c>Development</c>,
    /// and elsewhere only whom the application admits. <c>app.MapTarn().RequireAuthorization("operators")</c> opens it to whoever the
    /// policy admits, <c>app.MapTarn().AllowAnonymous()</c> to everybody who can reach the server. Without either it answers 404, as if
    /// there were no page, and logs a warning once. It does not look at addresses or headers: behind a proxy on the same machine they are
    /// the proxy's.</para>
    /// <para>While someone looks, a listener counts pooled streams. Otherwise the page costs nothing.</para>
    /// </remarks>
    /// <param name="endpoints">The application's endpoints.</param>
    /// <param name="pattern">The path of the page.</param>
    /// <returns>The conventions of both endpoints.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="InvalidOperationException"><c>AddTarn</c> was not called.</exception>
    public static IEndpointConventionBuilder MapTarn(
        this IEndpointRouteBuilder endpoints, [StringSyntax("Route")] string pattern = "/tarn")
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(pattern);
        ServerMemoryPoolFactory factory = endpoints.ServiceProvider.GetService<ServerMemoryPoolFactory>()
            ?? throw new InvalidOperationException(
                "MapTarn needs Tarn's services: call services.AddTarn() before the application is built.");
        StreamWatch streams = endpoints.ServiceProvider.GetRequiredService<StreamWatch>();
        PageAccess access = new(
            endpoints.ServiceProvider.GetService<IHostEnvironment>()?.IsDevelopment() ?? false,
            endpoints.ServiceProvider.GetService<ILoggerFactory>()?.CreateLogger<PageAccess>() ?? NullLogger<PageAccess>.Instance);

        RouteGroupBuilder group = endpoints.MapGroup(pattern);
        group.MapGet("/", Guarded(access, "text/html; charset=utf-8", WritePage)).WithDisplayName("Tarn");
        group.MapGet(Data, Guarded(access, "application/json; charset=utf-8", context => WriteData(context, factory, streams)))
            .WithDisplayName("Tarn, as JSON");
        return group;
    }

    private static RequestDelegate Guarded(PageAccess access, string contentType, RequestDelegate write) => context =>
    {
        HttpResponse response = context.Response;
        if (!access.Allows(context))
        {
            response.StatusCode = StatusCodes.Status404NotFound;
            return Task.CompletedTask;
        }

        response.Headers.CacheControl = "no-store";
        response.Headers.XContentTypeOptions = "nosniff";
        response.ContentType = contentType;
        return write(context);
    };

    private static Task WritePage(HttpContext context)
    {
        context.Response.Headers.ContentSecurityPolicy = PageText.Policy;
        string path = (context.Request.PathBase + context.Request.Path).ToUriComponent().TrimEnd('/');
        return context.Response.WriteAsync(PageText.Create(path + Data), context.RequestAborted);
    }

    private static Task WriteData(HttpContext context, ServerMemoryPoolFactory factory, StreamWatch streams) =>
        JsonSerializer.SerializeAsync(
            context.Response.Body, PageData.Read(factory, streams), PageJson.Default.PageData, context.RequestAborted);
}
