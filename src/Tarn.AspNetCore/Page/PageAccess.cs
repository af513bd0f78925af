using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Tarn;

/// <summary>Who may see the page: developers, and whoever the application has admitted by its endpoint's metadata.</summary>
/// <remarks>
/// Nothing of a request says where it comes from. A proxy on this machine has a loopback address, names a loopback host by default, and
/// adds a header only if it is told to.
/// </remarks>
internal sealed partial class PageAccess(bool isDevelopment, ILogger log)
{
    /// <summary>
    /// What the authorization middleware leaves for the endpoints behind it. Endpoint routing looks for it too, unless the application has
    /// told it not to. Without it the page stays closed.
    /// </summary>
    private const string Enforced = "__AuthorizationMiddlewareWithEndpointInvoked";

    private int _hasTold;

    internal bool Allows(HttpContext context)
    {
        EndpointMetadataCollection? metadata = context.GetEndpoint()?.Metadata;
        if (isDevelopment || metadata?.GetMetadata<IAllowAnonymous>() is not null)
        {
            return true;
        }

        if (metadata?.GetMetadata<IAuthorizeData>() is not null && context.Items.ContainsKey(Enforced))
        {
            return true;
        }

        if (Interlocked.Exchange(ref _hasTold, 1) == 0)
        {
            TellClosed(log, context.Request.Path);
        }

        return false;
    }

    [LoggerMessage(
        EventId = 4, EventName = "PageClosed", Level = LogLevel.Warning,
        Message = "Tarn's page was asked for at {Path} and answered 404, as it does outside of Development. Call RequireAuthorization on "
            + "what MapTarn returns, and UseAuthorization, to open it to whom a policy admits, or AllowAnonymous to open it to everybody.")]
    private static partial void TellClosed(ILogger log, string path);
}
