using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Requests;

/// <summary>Requests that share a budget.</summary>
public class RequestBudgetTests
{
    private readonly BufferBudget _budget = new(10_000, "requests");

    [Theory]
    [InlineData(null, HttpStatusCode.InternalServerError)]
    [InlineData(1.5, HttpStatusCode.ServiceUnavailable)]
    public async Task A_refused_request_is_answered_as_the_options_say(double? retryAfter, HttpStatusCode expected)
    {
        await using RunningServer server = await RunningServer.StartAsync(
            application =>
            {
                application.MapGet("/lease", (RequestBuffers buffers) => buffers.Lease<byte>(6_000).Length);
                application.MapGet("/stream", (RequestBuffers buffers) => buffers.CreateStream(6_000).Capacity > 0);
                application.MapGet("/begun", async (HttpContext context, RequestBuffers buffers) =>
                {
                    await context.Response.WriteAsync("begun");
                    await context.Response.Body.FlushAsync();
                    _ = buffers.Lease<byte>(6_000);
                });
            },
            new TarnServerOptions
            {
                RequestBudget = _budget,
                RetryAfter = retryAfter is { } seconds ? TimeSpan.FromSeconds(seconds) : null,
            });
        using HttpClient client = server.CreateClient();
        Assert.Equal("6000", await client.GetStringAsync(new Uri("/lease", UriKind.Relative)));
        await Eventually.Holds(() => _budget.InUse == 0, "the request returned its bytes");

        _budget.Take(5_000);
        foreach (string path in (string[])["/lease", "/stream"])
        {
            using HttpResponseMessage refused = await client.GetAsync(new Uri(path, UriKind.Relative));
            Assert.Equal(expected, refused.StatusCode);
            Assert.Equal(retryAfter is null ? null : TimeSpan.FromSeconds(2), refused.Headers.RetryAfter?.Delta);
        }

        await Assert.ThrowsAnyAsync<HttpRequestException>(() => client.GetStringAsync(new Uri("/begun", UriKind.Relative)));
        await Eventually.Holds(() => _budget.InUse == 5_000, "refused requests took nothing");
    }

    [Fact]
    public async Task An_asynchronous_lease_waits_for_another_request_to_end()
    {
        using ServiceProvider provider =
            new ServiceCollection().AddTarn(options => options.RequestBudget = _budget).BuildServiceProvider();
        using IServiceScope first = provider.CreateScope();
        using IServiceScope second = provider.CreateScope();
        RequestBuffers buffers = second.ServiceProvider.GetRequiredService<RequestBuffers>();
        _ = first.ServiceProvider.GetRequiredService<RequestBuffers>().Lease<byte>(8_000);
        Task<Memory<byte>> waiting = buffers.LeaseAsync<byte>(5_000).AsTask();
        using CancellationTokenSource source = new();
        Task<Memory<byte>> cancelled = buffers.LeaseAsync<byte>(1, source.Token).AsTask();
        Assert.Equal((false, 2), (waiting.IsCompleted, _budget.Waiting));
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        first.Dispose();
        Assert.Equal(5_000, (await waiting).Length);
        second.Dispose();
        Assert.Equal(0, _budget.InUse);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => buffers.LeaseAsync<byte>(1).AsTask());
        Assert.Equal(0, _budget.InUse);
    }

    [Fact]
    public async Task Without_a_budget_an_asynchronous_lease_does_not_wait()
    {
        using RequestBuffers buffers = new();
        Assert.Equal(7, (await buffers.LeaseAsync<int>(7)).Length);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => buffers.LeaseAsync<int>(7, new CancellationToken(true)).AsTask());
    }

    [Fact]
    public void A_time_that_is_not_positive_is_refused() =>
        Assert.Contains(
            "RetryAfter",
            Assert.Throws<ArgumentException>(
                "configure", () => new ServiceCollection().AddTarn(static options => options.RetryAfter = TimeSpan.Zero)).Message,
            StringComparison.Ordinal);
}
