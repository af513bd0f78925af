using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Tarn;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Adds Tarn's page to an application.</summary>
public static class TarnEndpointRouteBuilderExtensions
{
    private const string Data = "/data.json";

    private const string Refusal =
        "This page answers only requests from this machine that name a loopback host and were not forwarded. "
        + "To open it to others, call RequireAuthorization on what MapTarn returns.";

    /// <summary>
    /// Maps a page that shows pools, heaps, streams and incidents live, and the same as JSON at <c>data.json</c> below it.
    /// </summary>
    /// <remarks>
    /// <para>It answers only requests from this machine: from a loopback address, to a loopback host, not forwarded. Behind
    /// <c>RequireAuthorization</c> it answers whoever the policy admits, from anywhere: <c>app.MapTarn().RequireAuthorization("ops")</c>.
    /// <c>AllowAnonymous</c> does not open it.</para>
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

        RouteGroupBuilder group = endpoints.MapGroup(pattern);
        group.MapGet("/", Guarded("text/html; charset=utf-8", WritePage)).WithDisplayName("Tarn");
        group.MapGet(Data, Guarded("application/json; charset=utf-8", context => WriteData(context, factory, streams)))
            .WithDisplayName("Tarn, as JSON");
        return group;
    }

    private static RequestDelegate Guarded(string contentType, RequestDelegate write) => context =>
    {
        HttpResponse response = context.Response;
        response.Headers.CacheControl = "no-store";
        response.Headers.XContentTypeOptions = "nosniff";
        if (!PageAccess.IsAllowed(context))
        {
            response.StatusCode = StatusCodes.Status403Forbidden;
            response.ContentType = "text/plain; charset=utf-8";
            return response.WriteAsync(Refusal, context.RequestAborted);
        }

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
