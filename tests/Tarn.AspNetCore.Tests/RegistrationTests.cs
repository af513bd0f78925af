using System.Buffers;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests;

/// <summary>Whatever is registered before AddTarn, after it, or twice: the application starts and answers.</summary>
public sealed class RegistrationTests
{
    private const string Warning = "The server does not use Tarn's pools: ";

    private static readonly Dictionary<string, (Action<IServiceCollection> Add, bool Warns)> s_orders = new()
    {
        ["AddTarn"] = (static services => services.AddTarn(), false),
        ["AddTarn twice"] = (static services => services.AddTarn().AddTarn(static options => options.MaxPooledBytes = 1 << 20), false),
        ["AddTarn, then without server blocks"] =
            (static services => services.AddTarn().AddTarn(static options => options.PoolServerBlocks = false), false),
        ["without server blocks, then AddTarn"] =
            (static services => services.AddTarn(static options => options.PoolServerBlocks = false).AddTarn(), false),
        ["without anything"] =
            (static services => services.AddTarn(static options => options.PoolServerBlocks = options.PoolArrays = false), false),
        ["another library's factory before"] =
            (static services => services.AddSingleton<IMemoryPoolFactory<byte>, OtherFactory>().AddTarn(), false),
        ["another library's factory after"] =
            (static services => services.AddTarn().AddSingleton<IMemoryPoolFactory<byte>, OtherFactory>(), true),
        ["the factory removed"] = (static services => services.AddTarn().RemoveAll<IMemoryPoolFactory<byte>>(), true),
        ["hosted services removed"] = (static services => services.AddTarn().RemoveAll<IHostedService>(), false),
        ["array pools of another library after"] =
            (static services => services.AddTarn().AddSingleton(ArrayPool<byte>.Shared).AddSingleton(ArrayPool<char>.Shared), false),
        ["health check without AddTarn"] = (static services => services.AddHealthChecks().AddTarn(), false),
    };

    public static TheoryData<string> Orders => [.. s_orders.Keys];

    [Theory]
    [MemberData(nameof(Orders))]
    public async Task An_application_starts_in_whatever_order_services_are_registered(string order)
    {
        using LoggedWarnings logged = new();
        await using TestedApplication application = new(s_orders[order].Add, logged);

        Assert.Equal("answer", await AnswerOf(application));
        Assert.Equal(s_orders[order].Warns ? 1 : 0, logged.Messages.Length);
        Assert.All(logged.Messages, static line => Assert.StartsWith(Warning, line, StringComparison.Ordinal));
    }

    /// <summary>The factory adds Kestrel after everything that the application registers, which cannot move.</summary>
    [Theory]
    [MemberData(nameof(Orders))]
    public async Task A_test_can_run_the_application_on_Kestrel(string order)
    {
        using LoggedWarnings logged = new();
        await using TestedApplication application = new(s_orders[order].Add, logged);
        application.UseKestrel(0);

        Assert.Equal("answer", await AnswerOf(application));
        if (order is not ("without anything" or "without server blocks, then AddTarn" or "health check without AddTarn"))
        {
            string warning = Assert.Single(logged.Messages);
            Assert.StartsWith(Warning, warning, StringComparison.Ordinal);
            Assert.Contains("is registered as IMemoryPoolFactory<byte>, after AddTarn", warning, StringComparison.Ordinal);
            Assert.Contains("PoolServerBlocks", warning, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_server_registered_later_keeps_its_own_pools()
    {
        using LoggedWarnings logged = new();
        using IHost host = new HostBuilder()
            .ConfigureLogging(logging => logging.AddProvider(logged))
            .ConfigureServices(services => services.AddTarn())
            .ConfigureWebHost(web => web.UseKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0)).Configure(_ => { }))
            .Build();
        await host.StartAsync();

        Assert.Empty(host.Services.GetRequiredService<ServerMemoryPoolFactory>().GetSnapshots());
        Assert.StartsWith(Warning, Assert.Single(logged.Messages), StringComparison.Ordinal);
        await host.StopAsync();
    }

    [Fact]
    public async Task A_server_registered_earlier_uses_the_pools()
    {
        using IHost host = new HostBuilder()
            .ConfigureWebHost(web => web.UseKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0)).Configure(_ => { }))
            .ConfigureServices(services => services.AddTarn())
            .Build();
        await host.StartAsync();

        Assert.NotEmpty(host.Services.GetRequiredService<ServerMemoryPoolFactory>().GetSnapshots());
        await host.StopAsync();
    }

    [Fact]
    public async Task Without_PoolServerBlocks_the_server_keeps_its_own_pools()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddTarn(static options => options.PoolServerBlocks = false);
        await using WebApplication application = builder.Build();

        Assert.IsNotType<ServerMemoryPoolFactory>(application.Services.GetRequiredService<IMemoryPoolFactory<byte>>());
    }

    private static async Task<string> AnswerOf(TestedApplication application)
    {
        using HttpClient client = application.CreateClient();
        return await client.GetStringAsync(new Uri("/", UriKind.Relative));
    }

    /// <summary>An application as a service's own tests start it.</summary>
    private sealed class TestedApplication(Action<IServiceCollection> add, LoggedWarnings logged)
        : WebApplicationFactory<RegistrationTests>
    {
        protected override IHostBuilder CreateHostBuilder() => new HostBuilder()
            .ConfigureLogging(logging => logging.ClearProviders().AddProvider(logged))
            .ConfigureWebHost(web => web
                .ConfigureServices(services => add(services.AddRouting()))
                .Configure(static app => app.Run(static context => context.Response.WriteAsync("answer"))));

        protected override void ConfigureWebHost(IWebHostBuilder builder) => builder.UseContentRoot(AppContext.BaseDirectory);
    }

    private sealed class OtherFactory : IMemoryPoolFactory<byte>
    {
        public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => MemoryPool<byte>.Shared;
    }
}
