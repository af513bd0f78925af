using System.Net;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;

namespace Tarn;

/// <summary>Who may see the page: whoever the endpoint's authorization admits, or else only a browser on this machine.</summary>
/// <remarks>
/// The address of the connection is not enough. Behind a proxy on the same machine every client has a loopback address, and a foreign site
/// may have its name resolve to one. So the request must also name a loopback host and must not have been forwarded.
/// </remarks>
internal static class PageAccess
{
    private static readonly string[] s_forwarded = ["Forwarded", "X-Forwarded-For", "X-Original-For"];

    internal static bool IsAllowed(HttpContext context)
    {
        EndpointMetadataCollection? metadata = context.GetEndpoint()?.Metadata;
        bool isAuthorized = metadata?.GetMetadata<IAuthorizeData>() is not null && metadata.GetMetadata<IAllowAnonymous>() is null;
        return isAuthorized || IsLocal(context);
    }

    private static bool IsLocal(HttpContext context) =>
        context.Connection.RemoteIpAddress is { } address
        && IPAddress.IsLoopback(address)
        && IsLoopbackName(context.Request.Host.Host)
        && !s_forwarded.Any(context.Request.Headers.ContainsKey);

    private static bool IsLoopbackName(string host) =>
        host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(host.Trim('[', ']'), out IPAddress? address) && IPAddress.IsLoopback(address));
}
