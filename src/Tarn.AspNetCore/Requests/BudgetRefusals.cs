using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace Tarn;

/// <summary>Answers requests that a budget refused with 503 and <c>Retry-After</c>, if the options say so.</summary>
internal sealed class BudgetRefusals(TarnServerOptions options) : IStartupFilter
{
    /// <summary>The header's value; null if refusals are left to the application.</summary>
    private volatile string? _seconds = SecondsOf(options.RetryAfter);

    /// <inheritdoc/>
    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) =>
        _seconds is null
            ? next
            : application =>
            {
                application.Use(AnswerAsync);
                next(application);
            };

    /// <summary>Changes the time of an application that answers refusals; false if it would have to begin or cease to do so.</summary>
    internal bool TryChange(TimeSpan? retryAfter)
    {
        string? seconds = SecondsOf(retryAfter);
        if (_seconds is null != seconds is null)
        {
            return false;
        }

        _seconds = seconds;
        return true;
    }

    private static string? SecondsOf(TimeSpan? time) =>
        time is { } after ? Math.Max(1, Math.Ceiling(after.TotalSeconds)).ToString(CultureInfo.InvariantCulture) : null;

    private async Task AnswerAsync(HttpContext context, RequestDelegate following)
    {
        try
        {
            await following(context);
        }
        catch (BufferBudgetExceededException) when (!context.Response.HasStarted)
        {
            context.Response.Clear();
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            context.Response.Headers.RetryAfter = _seconds;
        }
    }
}
