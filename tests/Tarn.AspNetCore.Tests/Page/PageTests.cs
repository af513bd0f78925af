using System.Net;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Page;

public partial class PageTests
{
    [Fact]
    public async Task The_data_lists_blocks_and_pools_and_streams_and_incidents()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "page test" });
        byte[] rented = pool.Rent(5_000);
        await using RunningServer server = await RunningServer.StartAsync(application => application.MapTarn("/inner/tarn"));
        using HttpClient client = server.CreateClient();
        Uri address = new("/inner/tarn/data.json", UriKind.Relative);
        await client.GetStringAsync(address);
        new PooledMemoryStream().Dispose();

        using JsonDocument data = JsonDocument.Parse(await client.GetStringAsync(address));
        JsonElement root = data.RootElement;

        JsonElement blocks = Assert.Single(root.GetProperty("blocks").EnumerateArray());
        Assert.Equal("kestrel", blocks.GetProperty("owner").GetString());
        Assert.InRange(blocks.GetProperty("rented").GetInt64(), 2, long.MaxValue);
        Assert.InRange(blocks.GetProperty("capBytes").GetInt64(), 1 << 20, long.MaxValue);
        JsonElement source =
            Assert.Single(root.GetProperty("sources").EnumerateArray(), one => one.GetProperty("name").GetString() == "page test");
        Assert.Equal(rented.Length, source.GetProperty("inUseBytes").GetInt64());
        Assert.InRange(root.GetProperty("streams").GetProperty("created").GetInt64(), 1, long.MaxValue);
        Assert.True(root.GetProperty("incidents").GetProperty("count").GetInt64() >= 0);
        Assert.Equal(Environment.ProcessId, root.GetProperty("process").GetProperty("id").GetInt32());
        pool.Return(rented);
    }

    [Theory]
    [InlineData("/tarn")]
    [InlineData("/tarn/")]
    public async Task The_page_loads_nothing_but_its_data_from_where_it_is_mapped(string path)
    {
        await using RunningServer server = await RunningServer.StartAsync(application =>
        {
            application.UsePathBase("/base");
            application.UseRouting();
            application.MapTarn();
        });
        using HttpClient client = server.CreateClient();
        using HttpResponseMessage answer = await client.GetAsync(new Uri($"/base{path}", UriKind.Relative));
        string page = await answer.Content.ReadAsStringAsync();

        Assert.Contains("data-source=\"/base/tarn/data.json\"", page, StringComparison.Ordinal);
        Assert.DoesNotContain("{{", page, StringComparison.Ordinal);
        Assert.DoesNotMatch("src=|@import|url\\(|https://", page);
        Assert.Equal("no-store", answer.Headers.CacheControl?.ToString());
        string policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.Contains($"script-src '{HashOf(page, ScriptPattern())}'", policy, StringComparison.Ordinal);
        Assert.Contains($"style-src '{HashOf(page, StylePattern())}'", policy, StringComparison.Ordinal);
        Assert.StartsWith("default-src 'none'", policy, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("127.0.0.1", "localhost:5000", null, 200)]
    [InlineData("::1", "[::1]:5000", null, 200)]
    [InlineData("::ffff:127.0.0.1", "127.0.0.1", null, 200)]
    [InlineData("10.0.0.7", "localhost", null, 403)]
    [InlineData("127.0.0.1", "shop.example", null, 403)]
    [InlineData("127.0.0.1", "localhost.shop.example", null, 403)]
    [InlineData("127.0.0.1", "localhost", "X-Forwarded-For", 403)]
    [InlineData("127.0.0.1", "localhost", "X-Original-For", 403)]
    [InlineData("127.0.0.1", "localhost", "Forwarded", 403)]
    [InlineData(null, "localhost", null, 403)]
    public async Task Without_authorization_only_this_machine_sees_the_page(string? from, string host, string? header, int status)
    {
        await using RunningServer server = await RunningServer.StartAsync(application =>
        {
            From(application, from);
            application.MapTarn().AllowAnonymous();
        });
        using HttpClient client = server.CreateClient();
        foreach (string path in (string[])["/tarn", "/tarn/data.json"])
        {
            using HttpRequestMessage request = new(HttpMethod.Get, path) { Headers = { Host = host } };
            if (header is not null)
            {
                request.Headers.Add(header, "203.0.113.9");
            }

            using HttpResponseMessage answer = await client.SendAsync(request);
            Assert.Equal(status, (int)answer.StatusCode);
            Assert.Equal(
                status == 403,
                (await answer.Content.ReadAsStringAsync()).Contains("call RequireAuthorization", StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData("ops", false, HttpStatusCode.OK)]
    [InlineData("guest", false, HttpStatusCode.Forbidden)]
    [InlineData(null, false, HttpStatusCode.Unauthorized)]
    [InlineData("ops", true, HttpStatusCode.Forbidden)]
    public async Task Behind_authorization_whoever_the_policy_admits_sees_the_page_from_anywhere(
        string? role, bool alsoAnonymous, HttpStatusCode status)
    {
        await using RunningServer server = await RunningServer.StartAsync(
            application =>
            {
                From(application, "10.0.0.7");
                application.UseAuthentication();
                application.UseAuthorization();
                IEndpointConventionBuilder page = application.MapTarn().RequireAuthorization(policy => policy.RequireRole("ops"));
                _ = alsoAnonymous ? page.AllowAnonymous() : page;
            },
            configure: services =>
            {
                services.AddAuthentication("role").AddScheme<AuthenticationSchemeOptions, RoleHandler>("role", null);
                services.AddAuthorization();
            });
        using HttpClient client = server.CreateClient();
        if (role is not null)
        {
            client.DefaultRequestHeaders.Add("Role", role);
        }

        using HttpResponseMessage answer = await client.GetAsync(new Uri("/tarn", UriKind.Relative));
        Assert.Equal(status, answer.StatusCode);
    }

    [Fact]
    public void MapTarn_says_what_is_missing()
    {
        WebApplication application = WebApplication.CreateSlimBuilder().Build();

        InvalidOperationException exception = Assert.Throws<InvalidOperationException>(() => application.MapTarn());
        Assert.Contains("services.AddTarn()", exception.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>("pattern", () => application.MapTarn(null!));
    }

    [Fact]
    public void Streams_are_counted_only_while_someone_looks()
    {
        ManualTime time = new();
        using StreamWatch watch = new(time);
        Assert.False(watch.IsWatching);

        watch.Look();
        time.Advance(TimeSpan.FromSeconds(10));
        watch.Look();
        time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(watch.IsWatching);

        time.Advance(TimeSpan.FromSeconds(10));
        Assert.False(watch.IsWatching);
        Assert.Equal((0, 0), (watch.Look().Created, watch.Look().Bytes));
    }

    private static void From(WebApplication application, string? address) => application.Use((context, next) =>
    {
        context.Connection.RemoteIpAddress = address is null ? null : IPAddress.Parse(address);
        return next(context);
    });

    private static string HashOf(string page, Regex pattern) =>
        "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(pattern.Match(page).Groups[1].Value)));

    [GeneratedRegex("<script>(.*)</script>", RegexOptions.Singleline)]
    private static partial Regex ScriptPattern();

    [GeneratedRegex("<style>(.*)</style>", RegexOptions.Singleline)]
    private static partial Regex StylePattern();

    /// <summary>Believes the role that a header names.</summary>
    private sealed class RoleHandler(IOptionsMonitor<AuthenticationSchemeOptions> options, ILoggerFactory logger, UrlEncoder encoder)
        : AuthenticationHandler<AuthenticationSchemeOptions>(options, logger, encoder)
    {
        protected override Task<AuthenticateResult> HandleAuthenticateAsync()
        {
            if (Request.Headers["Role"] is not [{ } role])
            {
                return Task.FromResult(AuthenticateResult.NoResult());
            }

            ClaimsPrincipal user = new(new ClaimsIdentity([new Claim(ClaimTypes.Role, role)], Scheme.Name));
            return Task.FromResult(AuthenticateResult.Success(new AuthenticationTicket(user, Scheme.Name)));
        }
    }
}
