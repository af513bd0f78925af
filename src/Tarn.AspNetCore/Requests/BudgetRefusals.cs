using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace Tarn;

/// <summary>Answers requests that a budget refused with 503 and <c>Retry-After</c>, if the options say so.</summary>
internal sealed class BudgetRefusals(TarnServerOptions options) : IStartupFilter
{
    /// <inheritdoc/>
    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next)
    {
        if (options.RetryAfter is not { } after)
        {
            return next;
        }

        string seconds = Math.Max(1, Math.Ceiling(after.TotalSeconds)).ToString(CultureInfo.InvariantCulture);
        return application =>
        {
            application.Use((context, following) => AnswerAsync(context, following, seconds));
            next(application);
        };
    }

    private static async Task AnswerAsync(HttpContext context, RequestDelegate following, string seconds)
    {
        try
        {
            await following(context);
        }
        catch (BufferBudgetExceededException) when (!context.Response.HasStarted)
        {
            context.Response.Clear();
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            context.Response.Headers.RetryAfter = seconds;
        }
    }
}
