using System.Buffers;
using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Configuration;

/// <summary>The options as the configuration has them.</summary>
public sealed class ConfigurationTests
{
    private static readonly (string Key, string Value)[] s_all =
    [
        ("MaxPooledBytes", "64 MiB"), ("IdleTimeout", "00:00:05"), ("CollectWhenIdle", "false"), ("PoolServerBlocks", "false"),
        ("PoolArrays", "False"), ("RequestBudget", "2GiB"), ("RequestBudgetTimeout", "00:00:04"), ("RetryAfter", "00:00:03"),
        ("Checks", "returns, UseAfterReturn"),
    ];

    [Fact]
    public void Every_setting_is_read()
    {
        TarnServerOptions options = OptionsOf(s_all);

        Assert.Equal(ConfigurationReader.Settings.Order(), s_all.Select(static row => row.Key).Order());
        Assert.Equal(
            ConfigurationReader.Settings.Order(),
            typeof(TarnServerOptions).GetProperties().Select(static property => property.Name).Order());
        AssertSame(
            new TarnServerOptions
            {
                MaxPooledBytes = 64 << 20,
                IdleTimeout = TimeSpan.FromSeconds(5),
                CollectWhenIdle = false,
                PoolServerBlocks = false,
                PoolArrays = false,
                RequestBudget = options.RequestBudget,
                RequestBudgetTimeout = TimeSpan.FromSeconds(4),
                RetryAfter = TimeSpan.FromSeconds(3),
                Checks = BufferChecks.Returns | BufferChecks.UseAfterReturn,
            },
            options);
        Assert.Equal((2L << 30, "requests"), (options.RequestBudget!.Limit, options.RequestBudget.Name));

        TarnServerOptions copy = new();
        Assert.Equal(ConfigurationReader.Settings.Order(), ConfigurationReader.FindDifferences(options, copy).Order());
        copy.Take(options, from: new TarnServerOptions());
        AssertSame(options, copy);
        AssertSame(options, options.Copy());
        options.Take(new TarnServerOptions { RetryAfter = TimeSpan.FromSeconds(3) }, from: new TarnServerOptions());
        AssertSame(copy, options);
    }

    [Fact]
    public void What_the_section_does_not_have_stays_as_it_is()
    {
        AssertSame(new TarnServerOptions(), OptionsOf());
        AssertSame(new TarnServerOptions(), OptionsOf(("MaxPooledBytes", "")));
        using ServiceProvider services = new ServiceCollection()
            .AddTarn(static options => (options.PoolServerBlocks, options.IdleTimeout) = (false, TimeSpan.FromSeconds(7)))
            .AddTarn(SectionOf(out _, ("maxpooledbytes", "1048576")))
            .BuildServiceProvider();
        AssertSame(
            new TarnServerOptions { PoolServerBlocks = false, IdleTimeout = TimeSpan.FromSeconds(7), MaxPooledBytes = 1 << 20 },
            services.GetRequiredService<TarnServerOptions>());
        Assert.Null(services.GetService<IMemoryPoolFactory<byte>>());
    }

    [Theory]
    [InlineData("268435456", 256L << 20)]
    [InlineData(" 256 mib ", 256L << 20)]
    [InlineData("2048KiB", 2L << 20)]
    [InlineData("8589934591GiB", 8589934591L << 30)]
    public void Bytes_have_units(string text, long expected) =>
        Assert.Equal(expected, OptionsOf(("MaxPooledBytes", text)).MaxPooledBytes);

    [Fact]
    public void Idle_memory_can_stay() =>
        Assert.Equal(Timeout.InfiniteTimeSpan, OptionsOf(("IdleTimeout", "Infinite")).IdleTimeout);

    [Theory]
    [InlineData("MaxPooledByte", "1", "The configuration has Tarn:MaxPooledByte, which is no setting of Tarn. The settings are Max")]
    [InlineData("MaxPooledBytes", "many", "The configuration's Tarn:MaxPooledBytes is \"many\": it must be a number of bytes such as ")]
    [InlineData("MaxPooledBytes", "-1", "The configuration's Tarn:MaxPooledBytes is \"-1\": ")]
    [InlineData("MaxPooledBytes", "1 MB", "The configuration's Tarn:MaxPooledBytes is \"1 MB\": ")]
    [InlineData("MaxPooledBytes", "8589934592GiB", "The configuration's Tarn:MaxPooledBytes is \"8589934592GiB\": ")]
    [InlineData("MaxPooledBytes", "MiB", "The configuration's Tarn:MaxPooledBytes is \"MiB\": ")]
    [InlineData("MaxPooledBytes:Kestrel", "1", "The configuration's Tarn:MaxPooledBytes is a section: ")]
    [InlineData("maxPooledBytes", "5", "The configuration's Tarn:maxPooledBytes is out of range. MaxPooledBytes is 5: it must be ")]
    [InlineData("IdleTimeout", "10s", "The configuration's Tarn:IdleTimeout is \"10s\": it must be a time such as ")]
    [InlineData("IdleTimeout", "10", "The configuration's Tarn:IdleTimeout is \"10\": it must be a time such as ")]
    [InlineData("RetryAfter", "2.5", "The configuration's Tarn:RetryAfter is \"2.5\": it must be a time such as ")]
    [InlineData("IdleTimeout", "00:00:00", "The configuration's Tarn:IdleTimeout is out of range. IdleTimeout is 00:00:00: it must ")]
    [InlineData("RequestBudgetTimeout", "infinite", "The configuration's Tarn:RequestBudgetTimeout is \"infinite\": it must be a time ")]
    [InlineData("RequestBudgetTimeout", "-00:00:01", "The configuration's Tarn:RequestBudgetTimeout is out of range. ")]
    [InlineData("RequestBudgetTimeout", "1.00:00:01", "The configuration's Tarn:RequestBudgetTimeout is out of range. ")]
    [InlineData("RetryAfter", "infinite", "The configuration's Tarn:RetryAfter is \"infinite\": it must be a time such as ")]
    [InlineData("CollectWhenIdle", "yes", "The configuration's Tarn:CollectWhenIdle is \"yes\": it must be true or false.")]
    [InlineData("RequestBudget", "0", "The configuration's Tarn:RequestBudget is \"0\": it must be more than 0 bytes.")]
    [InlineData("Checks", "some", "The configuration's Tarn:Checks is \"some\": it must be names with commas between them, of None, ")]
    [InlineData("Checks", "3", "The configuration's Tarn:Checks is \"3\": ")]
    public void What_it_cannot_read_ends_the_start_with_the_path(string key, string value, string message)
    {
        InvalidOperationException exception = Assert.Throws<InvalidOperationException>(() => OptionsOf((key, value)));
        Assert.StartsWith(message, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_where_a_section_belongs_is_refused()
    {
        IConfiguration root = new ConfigurationBuilder().AddInMemoryCollection([new("Tarn", "64 MiB")]).Build();

        InvalidOperationException exception =
            Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddTarn(root.GetSection("Tarn")));
        Assert.StartsWith(
            "The configuration's Tarn is \"64 MiB\": it must be a section with settings.", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_test_changes_options_and_what_comes_too_late_is_refused_at_the_start()
    {
        await using (WebApplication application = ApplicationWith(static options => options.MaxPooledBytes = 2 << 20))
        {
            await application.StartAsync();
            Assert.Equal(2 << 20, application.Services.GetRequiredService<TarnServerOptions>().MaxPooledBytes);
        }

        foreach ((Action<TarnServerOptions> change, string message) in ((Action<TarnServerOptions>, string)[])
            [
                (static options => options.MaxPooledBytes = 1, "MaxPooledBytes is 1: it must be at least "),
                (static options => options.PoolArrays = false, "PoolArrays is False, and was True when AddTarn was called"),
                (static options => options.PoolServerBlocks = false, "PoolServerBlocks is False, and was True when AddTarn was called"),
            ])
        {
            await using WebApplication application = ApplicationWith(change);
            OptionsValidationException exception = await Assert.ThrowsAsync<OptionsValidationException>(() => application.StartAsync());
            Assert.StartsWith(message, exception.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_change_of_the_configuration_takes_effect_or_is_told()
    {
        IConfigurationSection section = SectionOf(out IConfigurationRoot root, ("RetryAfter", "00:00:03"), ("RequestBudget", "4096"));
        using LoggedWarnings logged = new();
        await using RunningServer server = await RunningServer.StartAsync(
            static application => application.MapGet(
                "/", static (RequestBuffers buffers) => buffers.Lease<byte>(3_000).Length + buffers.Lease<byte>(3_000).Length),
            configure: services => services.AddTarn(section).AddSingleton<ILoggerProvider>(logged));
        using HttpClient client = server.CreateClient();
        Assert.Equal(3, await RetryAfterOf(client));

        root["Tarn:RetryAfter"] = "00:00:09";
        root.Reload();
        Assert.Equal(9, await RetryAfterOf(client));
        RequestPools pools = server.Services.GetRequiredService<RequestPools>();
        Assert.Equal(TimeSpan.FromSeconds(10), pools.Timeout);
        root["Tarn:RequestBudgetTimeout"] = "00:00:02";
        root.Reload();
        Assert.Equal(TimeSpan.FromSeconds(2), pools.Timeout);
        Assert.Empty(logged.Messages);

        root["Tarn:IdleTimeout"] = "00:01:00";
        root.Reload();
        Assert.Contains("has changed in IdleTimeout: that takes effect", Assert.Single(logged.Messages), StringComparison.Ordinal);

        root["Tarn:RetryAfter"] = "soon";
        root.Reload();
        Assert.Contains("is ignored. The configuration's Tarn:RetryAfter is \"soon\"", logged.Messages[1], StringComparison.Ordinal);
        Assert.Equal(9, await RetryAfterOf(client));
    }

    /// <summary>Whatever configures the options, and in whatever order: the start judges the result.</summary>
    [Theory]
    [InlineData("RetryAfter", "00:00:03")]
    [InlineData("RequestBudgetTimeout", "00:00:03")]
    public async Task A_setting_that_needs_a_budget_ends_the_start_without_one_and_names_both(string setting, string value)
    {
        void Set(TarnServerOptions options)
        {
            TimeSpan time = TimeSpan.Parse(value, CultureInfo.InvariantCulture);
            _ = setting == "RetryAfter" ? options.RetryAfter = time : options.RequestBudgetTimeout = time;
        }

        foreach (Action<IServiceCollection> add in (Action<IServiceCollection>[])
            [
                services => services.AddTarn(Set),
                services => services.AddTarn(SectionOf(out _, (setting, value))),
                services => services.AddTarn().Configure<TarnServerOptions>(Set),
            ])
        {
            await using WebApplication without = ApplicationWith(static _ => { }, add);
            OptionsValidationException exception = await Assert.ThrowsAsync<OptionsValidationException>(() => without.StartAsync());
            Assert.Equal(
                $"{setting} is {value}, which has no effect because RequestBudget is null: set RequestBudget, or leave out {setting}.",
                exception.Message);

            await using WebApplication with = ApplicationWith(static options => options.RequestBudget = new BufferBudget(1), add);
            await with.StartAsync();
        }
    }

    [Fact]
    public async Task A_change_that_would_have_no_effect_is_told()
    {
        IConfigurationSection section = SectionOf(out IConfigurationRoot root);
        using LoggedWarnings logged = new();
        await using RunningServer server = await RunningServer.StartAsync(
            static _ => { }, configure: services => services.AddTarn(section).AddSingleton<ILoggerProvider>(logged));

        root["Tarn:RetryAfter"] = "00:00:09";
        root.Reload();

        Assert.StartsWith(
            "A change of Tarn's configuration is ignored. RetryAfter is 00:00:09, which has no effect because RequestBudget is null",
            Assert.Single(logged.Messages),
            StringComparison.Ordinal);
    }

    private static async Task<double?> RetryAfterOf(HttpClient client)
    {
        using HttpResponseMessage refused = await client.GetAsync(new Uri("/", UriKind.Relative));
        return refused.Headers.RetryAfter?.Delta?.TotalSeconds;
    }

    private static WebApplication ApplicationWith(Action<TarnServerOptions> change, Action<IServiceCollection>? add = null)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseTestServer();
        (add ?? (static services => services.AddTarn(SectionOf(out _))))(builder.Services);
        builder.Services.Configure(change);
        return builder.Build();
    }

    private static void AssertSame(TarnServerOptions expected, TarnServerOptions actual) =>
        Assert.Empty(ConfigurationReader.FindDifferences(expected, actual));

    private static TarnServerOptions OptionsOf(params (string Key, string Value)[] settings)
    {
        using ServiceProvider services = new ServiceCollection().AddTarn(SectionOf(out _, settings)).BuildServiceProvider();
        return services.GetRequiredService<IOptions<TarnServerOptions>>().Value;
    }

    private static IConfigurationSection SectionOf(out IConfigurationRoot root, params (string Key, string Value)[] settings)
    {
        root = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.Select(static row => KeyValuePair.Create($"Tarn:{row.Key}", (string?)row.Value)))
            .Build();
        return root.GetSection("Tarn");
    }
}
