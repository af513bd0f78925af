using System.Net;
using System.Security.Claims;
using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Page;

/// <summary>Who sees the page. Nothing that a request says decides it.</summary>
public sealed class PageAccessTests
{
    /// <summary>The first row is what nginx sends for every stranger, with <c>proxy_pass http://localhost:5000</c> alone.</summary>
    [Theory]
    [InlineData("127.0.0.1", "localhost:5000", null)]
    [InlineData("::1", "[::1]:5000", null)]
    [InlineData("::ffff:127.0.0.1", "127.0.0.1", null)]
    [InlineData("10.0.0.7", "shop.example", null)]
    [InlineData("127.0.0.1", "localhost", "X-Forwarded-For")]
    [InlineData("127.0.0.1", "localhost", "Forwarded")]
    [InlineData(null, "localhost", null)]
    public async Task Outside_of_Development_nobody_sees_the_page_unless_the_application_says_who(string? from, string host, string? header)
    {
        using LoggedWarnings logged = new();
        foreach (string environment in (string[])["Production", "Staging"])
        {
            await using RunningServer server = await StartAsync(environment, from, static page => page, logged);
            using HttpClient client = server.CreateClient();
            foreach (string path in (string[])["/tarn", "/tarn/", "/tarn/data.json"])
            {
                using HttpRequestMessage request = new(HttpMethod.Get, path) { Headers = { Host = host } };
                if (header is not null)
                {
                    request.Headers.Add(header, "203.0.113.9");
                }

                using HttpResponseMessage answer = await client.SendAsync(request);
                Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
                Assert.Equal("", await answer.Content.ReadAsStringAsync());
                Assert.False(answer.Headers.Contains("X-Content-Type-Options"));
            }
        }

        Assert.Equal(2, logged.Messages.Length);
        Assert.All(
            logged.Messages, static line => Assert.StartsWith("Tarn's page was asked for at /tarn and ", line, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Development", false)]
    [InlineData("Production", true)]
    public async Task Developers_see_it_and_everybody_if_the_application_says_so(string environment, bool isOpened)
    {
        await using RunningServer server = await StartAsync(
            environment, "10.0.0.7", isOpened ? static page => page.AllowAnonymous() : static page => page);

        Assert.Equal(HttpStatusCode.OK, await StatusOfAsync(server, role: null));
    }

    [Theory]
    [InlineData("ops", false, HttpStatusCode.OK)]
    [InlineData("guest", false, HttpStatusCode.Forbidden)]
    [InlineData(null, false, HttpStatusCode.Unauthorized)]
    [InlineData(null, true, HttpStatusCode.OK)]
    public async Task Behind_authorization_whoever_the_policy_admits_sees_the_page_from_anywhere(
        string? role, bool alsoAnonymous, HttpStatusCode status)
    {
        await using RunningServer server = await StartAsync(
            "Production",
            "10.0.0.7",
            page =>
            {
                page.RequireAuthorization(static policy => policy.RequireRole("ops"));
                return alsoAnonymous ? page.AllowAnonymous() : page;
            },
            enforces: true);

        Assert.Equal(status, await StatusOfAsync(server, role));
    }

    [Fact]
    public async Task A_policy_for_all_endpoints_does_not_open_it()
    {
        await using RunningServer server = await StartAsync(
            "Production", "10.0.0.7", static page => page, enforces: true,
            configure: static services => services.Configure<AuthorizationOptions>(
                static options => options.FallbackPolicy = options.DefaultPolicy));

        Assert.Equal(HttpStatusCode.Unauthorized, await StatusOfAsync(server, role: null));
        Assert.Equal(HttpStatusCode.NotFound, await StatusOfAsync(server, "ops"));
    }

    /// <summary>Routing refuses endpoints whose authorization nothing enforces, unless it is told not to look.</summary>
    [Theory]
    [InlineData(false, HttpStatusCode.InternalServerError)]
    [InlineData(true, HttpStatusCode.NotFound)]
    public async Task Authorization_that_nothing_enforces_does_not_open_it(bool isSuppressed, HttpStatusCode status)
    {
        await using RunningServer server = await StartAsync(
            "Production", "127.0.0.1", static page => page.RequireAuthorization(),
            configure: services => services.Configure<RouteOptions>(
                options => options.SuppressCheckForUnhandledSecurityMetadata = isSuppressed));

        Assert.Equal(status, await StatusOfAsync(server, "ops"));
    }

    private static Task<RunningServer> StartAsync(
        string environment,
        string? from,
        Func<IEndpointConventionBuilder, IEndpointConventionBuilder> open,
        LoggedWarnings? logged = null,
        bool enforces = false,
        Action<IServiceCollection>? configure = null) => RunningServer.StartAsync(
            application =>
            {
                application.Use((context, next) =>
                {
                    context.Connection.RemoteIpAddress = from is null ? null : IPAddress.Parse(from);
                    return next(context);
                });
                application.UseRouting();
                if (enforces)
                {
                    application.UseAuthentication();
                    application.UseAuthorization();
                }

                open(application.MapTarn());
            },
            configure: services =>
            {
                if (enforces)
                {
                    services.AddAuthentication("role").AddScheme<AuthenticationSchemeOptions, RoleHandler>("role", null);
                    services.AddAuthorization();
                }

                services.AddSingleton<ILoggerProvider>(logged ?? new LoggedWarnings());
                configure?.Invoke(services);
            },
            environment: environment);

    private static async Task<HttpStatusCode> StatusOfAsync(RunningServer server, string? role)
    {
        using HttpClient client = server.CreateClient();
        if (role is not null)
        {
            client.DefaultRequestHeaders.Add("Role", role);
        }

        using HttpResponseMessage page = await client.GetAsync(new Uri("/tarn", UriKind.Relative));
        using HttpResponseMessage data = await client.GetAsync(new Uri("/tarn/data.json", UriKind.Relative));
        Assert.Equal(page.StatusCode, data.StatusCode);
        return page.StatusCode;
    }

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
