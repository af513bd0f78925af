using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Diagnostics;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Requests;

/// <summary>A refused request has one answer, whoever sees the exception first, wherever it was thrown, and however wrapped.</summary>
public sealed class RefusalMatrixTests
{
    private const int Limit = 10_000;

    private static readonly Action<WebApplication> s_none = static _ => { };
    private static readonly Action<IServiceCollection> s_plain = static _ => { };

    private static readonly Dictionary<string, Composition> s_compositions = new()
    {
        ["nothing"] = new(s_none),
        ["a lambda"] = new(static application => application.UseExceptionHandler(
            static handler => handler.Run(static context => context.Response.WriteAsync("500 by a lambda")))),
        ["a path"] = new(static application =>
        {
            application.UseExceptionHandler("/error");
            application.MapGet("/error", static () => Results.Problem());
        }),
        ["problem details"] = new(
            static application => application.UseExceptionHandler(), static services => services.AddProblemDetails(), Problem: true),
        ["a lambda beside problem details"] = new(
            static application => application.UseExceptionHandler(static handler => handler.Run(static _ => Task.CompletedTask)),
            static services => services.AddProblemDetails(),
            Problem: true),
        ["a handler that writes 500"] = WithHandler(static async (context, _) =>
        {
            context.Response.StatusCode = 500;
            await context.Response.WriteAsJsonAsync("500 by a handler");
            return true;
        }),
        ["a handler that leaves the status"] = WithHandler(static async (context, _) =>
        {
            context.Response.Headers.RetryAfter = "77";
            await context.Response.BodyWriter.WriteAsync("500 by a writer"u8.ToArray());
            return true;
        }),
        ["a handler that does not handle"] = WithHandler(static (_, _) => ValueTask.FromResult(false)),
        ["a handler that throws"] = WithHandler(static (_, _) => throw new InvalidOperationException("by a handler")),
        ["Development"] = new(s_none, Environment: "Development"),
        ["Development, problem details"] =
            new(s_none, static services => services.AddProblemDetails(), "Development", Problem: true),
        ["Development, a lambda"] = new(
            static application => application.UseExceptionHandler(static handler => handler.Run(static _ => Task.CompletedTask)),
            Environment: "Development"),
        ["status pages"] = new(static application => application.UseStatusCodePages()),
    };

    public static TheoryData<string> Compositions => [.. s_compositions.Keys];

    [Theory]
    [MemberData(nameof(Compositions))]
    public async Task A_refusal_has_one_answer_in_every_composition(string name)
    {
        Composition composition = s_compositions[name];
        await using RunningServer server = await StartAsync(composition);
        using HttpClient client = server.CreateClient();
        foreach (string place in (string[])["endpoint", "filter", "controller", "middleware"])
        {
            foreach (string form in (string[])["plain", "inner", "aggregate", "never", "never inside"])
            {
                using HttpResponseMessage answer = await client.GetAsync(new Uri($"/{place}/{form}", UriKind.Relative));

                await VerifyAsync(answer, form.StartsWith("never", StringComparison.Ordinal), composition.Problem);
            }

            using HttpResponseMessage other = await client.GetAsync(new Uri($"/{place}/other", UriKind.Relative));
            Assert.False(other.Headers.Contains("Retry-After") && other.Headers.RetryAfter?.Delta?.TotalSeconds != 77);
            Assert.NotEqual(HttpStatusCode.ServiceUnavailable, other.StatusCode);
        }

        await Assert.ThrowsAnyAsync<HttpRequestException>(() => client.GetStringAsync(new Uri("/begun", UriKind.Relative)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_status_that_the_application_chooses_stands(bool bySelector)
    {
        await using RunningServer server = await StartAsync(bySelector
            ? new(static application => application.UseExceptionHandler(new ExceptionHandlerOptions
            {
                StatusCodeSelector = static _ => StatusCodes.Status429TooManyRequests,
                ExceptionHandler = static context => context.Response.WriteAsync("busy"),
            }))
            : WithHandler(static async (context, _) =>
            {
                context.Response.StatusCode = StatusCodes.Status429TooManyRequests;
                await context.Response.WriteAsync("busy");
                return true;
            }));
        using HttpClient client = server.CreateClient();

        using HttpResponseMessage answer = await client.GetAsync(new Uri("/endpoint/inner", UriKind.Relative));

        Assert.Equal(HttpStatusCode.TooManyRequests, answer.StatusCode);
        Assert.Equal("busy", await answer.Content.ReadAsStringAsync());
        Assert.Null(answer.Headers.RetryAfter);
    }

    /// <summary>Asks a budget of <see cref="Limit"/> bytes in the form that a test names.</summary>
    internal static int Ask(RequestBuffers buffers, string form)
    {
        try
        {
            return form switch
            {
                "other" => throw new InvalidOperationException("Not of a budget."),
                _ when form.StartsWith("never", StringComparison.Ordinal) => buffers.Lease<byte>(Limit + 1).Length,
                _ => buffers.Lease<byte>(Limit / 2).Length + buffers.Lease<byte>(Limit).Length,
            };
        }
        catch (BufferBudgetExceededException e) when (form is "inner" or "never inside")
        {
            throw new InvalidOperationException("A layer of the application.", new IOException("Another layer.", e));
        }
        catch (BufferBudgetExceededException e) when (form == "aggregate")
        {
            throw new AggregateException(new IOException("Another task."), new AggregateException(e));
        }
    }

    private static async Task VerifyAsync(HttpResponseMessage answer, bool isNever, bool isProblem)
    {
        string body = await answer.Content.ReadAsStringAsync();
        int status = isNever ? 413 : 503;
        Assert.Equal(status, (int)answer.StatusCode);
        Assert.Equal(isNever ? null : TimeSpan.FromSeconds(2), answer.Headers.RetryAfter?.Delta);
        if (isProblem)
        {
            Assert.Equal("application/problem+json", answer.Content.Headers.ContentType?.MediaType);
            using JsonDocument problem = JsonDocument.Parse(body);
            Assert.Equal(status, problem.RootElement.GetProperty("status").GetInt32());
        }
        else
        {
            Assert.Equal("", body);
        }
    }

    private static Task<RunningServer> StartAsync(Composition composition) => RunningServer.StartAsync(
        application =>
        {
            composition.Map(application);
            application.UseRouting();
            application.Use(static (context, next) =>
                context.Request.Path.StartsWithSegments("/middleware", out PathString form)
                    ? context.Response.WriteAsync(
                        $"{Ask(context.RequestServices.GetRequiredService<RequestBuffers>(), form.Value![1..])}")
                    : next(context));
            application.MapGet("/endpoint/{form}", static (RequestBuffers buffers, string form) => Ask(buffers, form));
            application.MapGet("/filter/{form}", static () => 0).AddEndpointFilter(static async (context, next) =>
            {
                await Task.Yield();
                RequestBuffers buffers = context.HttpContext.RequestServices.GetRequiredService<RequestBuffers>();
                return Ask(buffers, (string)context.HttpContext.Request.RouteValues["form"]!) + (int)(await next(context))!;
            });
            application.MapControllers();
            application.MapGet("/begun", static async (HttpContext context, RequestBuffers buffers) =>
            {
                await context.Response.WriteAsync("begun");
                await context.Response.Body.FlushAsync();
                return Ask(buffers, "plain");
            });
        },
        new TarnServerOptions { RequestBudget = new BufferBudget(Limit), RetryAfter = TimeSpan.FromSeconds(1.5) },
        configureBefore: services =>
        {
            composition.Add(services);
            services.AddControllers().AddApplicationPart(typeof(RefusalMatrixTests).Assembly);
        },
        environment: composition.Environment);

    /// <summary>A handler that was registered before Tarn.</summary>
    private static Composition WithHandler(Func<HttpContext, Exception, ValueTask<bool>> handle) => new(
        static application => application.UseExceptionHandler(static _ => { }),
        services => services.AddSingleton<IExceptionHandler>(new Handler(handle)));

    /// <summary>What an application does with exceptions.</summary>
    private sealed record Composition(
        Action<WebApplication> Map, Action<IServiceCollection>? Adds = null, string Environment = "Production", bool Problem = false)
    {
        internal Action<IServiceCollection> Add => Adds ?? s_plain;
    }

    private sealed class Handler(Func<HttpContext, Exception, ValueTask<bool>> handle) : IExceptionHandler
    {
        public ValueTask<bool> TryHandleAsync(HttpContext httpContext, Exception exception, CancellationToken cancellationToken) =>
            handle(httpContext, exception);
    }
}
