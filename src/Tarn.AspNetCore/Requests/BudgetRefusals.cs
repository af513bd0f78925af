using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;

namespace Tarn;

/// <summary>Answers requests that a budget refused, if the options say so: with 503 and <c>Retry-After</c>, or with 413.</summary>
/// <remarks>
/// An application may see the exception before the outermost middleware does: in its exception handler, or on the developer's page. Each
/// has an entrance here, so that the answer is the same whoever sees it first.
/// </remarks>
internal sealed class BudgetRefusals(TarnServerOptions options) : IStartupFilter, IExceptionHandler, IDeveloperPageExceptionFilter
{
    /// <summary>The header's value; null if refusals are left to the application.</summary>
    private volatile string? _seconds = SecondsOf(options.RetryAfter);

    /// <inheritdoc/>
    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) =>
        options.RequestBudget is null
            ? next
            : application =>
            {
                application.Use(RunAsync);
                next(application);
            };

    /// <summary>
    /// The first of the application's exception handlers: it asks the others, whose answer stands unless its status is the 500 that the
    /// request has anyway.
    /// </summary>
    public async ValueTask<bool> TryHandleAsync(HttpContext context, Exception exception, CancellationToken cancellationToken)
    {
        if (FindRefusal(exception) is not { } refusal || context.Response.StatusCode != StatusCodes.Status500InternalServerError)
        {
            return false;
        }

        if (!await TryOthersAsync(context, exception, cancellationToken))
        {
            await AnswerAsync(context, refusal);
        }

        return true;
    }

    /// <summary>The first filter of the developer's page, whose title says that the server has failed.</summary>
    public Task HandleExceptionAsync(ErrorContext errorContext, Func<ErrorContext, Task> next) =>
        FindRefusal(errorContext.Exception) is { } refusal ? AnswerAsync(errorContext.HttpContext, refusal) : next(errorContext);

    /// <summary>Changes the time, or whether refusals are answered.</summary>
    internal void Change(TimeSpan? retryAfter) => _seconds = SecondsOf(retryAfter);

    private static string? SecondsOf(TimeSpan? time) =>
        time is { } after ? Math.Max(1, Math.Ceiling(after.TotalSeconds)).ToString(CultureInfo.InvariantCulture) : null;

    private async Task RunAsync(HttpContext context, RequestDelegate following)
    {
        BufferBudgetExceededException? refusal;
        context.RequestServices.GetRequiredService<RequestBuffers>().Follow(context);
        try
        {
            await following(context);
            return;
        }
        catch (Exception e) when (!context.Response.HasStarted && (refusal = FindRefusal(e)) is not null)
        {
        }

        await AnswerAsync(context, refusal);
    }

    /// <summary>The refusal that an exception is, or that caused it, if refusals are answered.</summary>
    private BufferBudgetExceededException? FindRefusal(Exception? exception) => _seconds is null ? null : exception switch
    {
        null => null,
        BufferBudgetExceededException refusal => refusal,
        AggregateException all => all.InnerExceptions.Select(FindRefusal).FirstOrDefault(static one => one is not null),
        _ => FindRefusal(exception.InnerException),
    };

    /// <summary>Lets the application's own handlers answer, and takes back what they wrote if they chose no status.</summary>
    private async ValueTask<bool> TryOthersAsync(HttpContext context, Exception exception, CancellationToken cancellationToken)
    {
        IHttpResponseBodyFeature body = context.Features.GetRequiredFeature<IHttpResponseBodyFeature>();
        using PooledMemoryStream written = new();
        StreamResponseBodyFeature held = new(written);
        context.Features.Set<IHttpResponseBodyFeature>(held);
        try
        {
            foreach (IExceptionHandler other in context.RequestServices.GetServices<IExceptionHandler>())
            {
                if (other != this && await other.TryHandleAsync(context, exception, cancellationToken))
                {
                    await held.CompleteAsync();
                    break;
                }
            }
        }
        finally
        {
            context.Features.Set(body);
        }

        if (context.Response.StatusCode == StatusCodes.Status500InternalServerError)
        {
            return false;
        }

        written.Position = 0;
        await written.CopyToAsync(context.Response.Body, cancellationToken);
        return true;
    }

    private async Task AnswerAsync(HttpContext context, BufferBudgetExceededException refusal)
    {
        HttpResponse response = context.Response;
        response.Clear();
        if (refusal.ExceedsLimit)
        {
            response.StatusCode = StatusCodes.Status413PayloadTooLarge;
        }
        else
        {
            response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            response.Headers.RetryAfter = _seconds;
        }

        if (context.RequestServices.GetService<IProblemDetailsService>() is { } problems)
        {
            await problems.TryWriteAsync(new ProblemDetailsContext
            {
                HttpContext = context,
                AdditionalMetadata =
                    (context.Features.Get<IExceptionHandlerFeature>()?.Endpoint ?? context.GetEndpoint())?.Metadata,
                Exception = refusal,
                ProblemDetails = { Status = response.StatusCode },
            });
        }
    }
}
