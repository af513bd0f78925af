using System.Collections.Concurrent;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;
using Tarn.AspNetCore.Tests.Support;
using Tarn.SharedMemory;
using Tarn.SharedMemory.AspNetCore;

namespace Tarn.AspNetCore.Tests.SharedMemory;

/// <summary>Kestrel and HttpClient over rings: bodies, ends, and nothing in the log that is no fault of the server.</summary>
public sealed class SharedMemoryTransportTests : IAsyncLifetime, IDisposable
{
    private readonly string _name = $"test-{Guid.NewGuid():N}";
    private readonly ServerWarnings _warnings = new();
    private readonly TaskCompletionSource _aborted = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private WebApplication _server = null!;

    public static TheoryData<string> Versions => ["1.1", "2.0"];

    public async Task InitializeAsync()
    {
        _server = Build();
        await _server.StartAsync();
    }

    public async Task DisposeAsync()
    {
        await _server.DisposeAsync();
        Assert.True(_warnings.Messages.Length == 0, string.Join('\n', _warnings.Messages));
        Assert.DoesNotContain(SharedRegion.List(), region => region.Name.StartsWith(_name, StringComparison.Ordinal));
    }

    public void Dispose() => _warnings.Dispose();

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task Bodies_of_all_lengths_come_whole_over_several_connections(string version)
    {
        await Task.WhenAll(Enumerable.Range(0, 4).Select(async i =>
        {
            using HttpClient client = CreateClient(version, capacity: 4096 << i);
            foreach (int length in (int[])[0, 1, 4095, 100_000, 3_000_000])
            {
                byte[] sent = new byte[length];
                new Random(length).NextBytes(sent);
                using ByteArrayContent body = new(sent);
                using HttpResponseMessage response = await client.PostAsync(new Uri("/echo", UriKind.Relative), body);
                Assert.Equal(sent, await response.Content.ReadAsByteArrayAsync());
            }
        }));
    }

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task A_request_whose_client_goes_away_is_cancelled(string version)
    {
        using HttpClient client = CreateClient(version);
        HttpResponseMessage response = await client.GetAsync(new Uri("/hang", UriKind.Relative), HttpCompletionOption.ResponseHeadersRead);
        response.Dispose();
        client.Dispose();
        await _aborted.Task.WaitAsync(TimeSpan.FromMinutes(1));
    }

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task A_connection_that_the_server_aborts_fails_at_the_client(string version)
    {
        using HttpClient client = CreateClient(version);
        await Assert.ThrowsAsync<HttpRequestException>(() => client.GetAsync(new Uri("/abort", UriKind.Relative)));
    }

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task A_server_that_stops_takes_no_more_connections(string version)
    {
        using HttpClient client = CreateClient(version);
        Assert.Equal("yes", await client.GetStringAsync(new Uri("/here", UriKind.Relative)));
        await _server.StopAsync();
        using HttpClient later = CreateClient(version);
        HttpRequestException e = await Assert.ThrowsAsync<HttpRequestException>(() => later.GetAsync(new Uri("/here", UriKind.Relative)));
        Assert.Contains("Nobody listens", e.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_that_is_in_use_is_refused_as_an_address_in_use()
    {
        await using WebApplication second = Build();
        IOException e = await Assert.ThrowsAsync<IOException>(() => second.StartAsync());
        Assert.IsType<AddressInUseException>(e.InnerException);
        Assert.Contains($"shared-memory:{_name}", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void End_points_are_equal_by_name()
    {
        Assert.Equal(new SharedMemoryEndPoint("a"), new SharedMemoryEndPoint("a"));
        Assert.NotEqual(new SharedMemoryEndPoint("a"), new SharedMemoryEndPoint("b"));
        Assert.Throws<ArgumentNullException>(() => new SharedMemoryEndPoint(null!));
        Assert.Throws<ArgumentNullException>(() => ((IWebHostBuilder)null!).UseTarnSharedMemory());
    }

    private WebApplication Build()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders().AddProvider(_warnings);
        builder.WebHost.UseTarnSharedMemory();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(new SharedMemoryEndPoint($"{_name}-1.1"), listen => listen.Protocols = HttpProtocols.Http1);
            kestrel.Listen(new SharedMemoryEndPoint($"{_name}-2.0"), listen => listen.Protocols = HttpProtocols.Http2);
        });
        WebApplication app = builder.Build();
        app.MapGet("/here", static () => "yes");
        app.MapGet("/abort", static context =>
        {
            context.Abort();
            return Task.CompletedTask;
        });
        app.MapPost("/echo", static async context =>
        {
            using MemoryStream body = new();
            await context.Request.Body.CopyToAsync(body);
            await context.Response.Body.WriteAsync(body.ToArray());
        });
        app.MapGet("/hang", async context =>
        {
            await context.Response.StartAsync();
            await context.Response.Body.FlushAsync();
            await using CancellationTokenRegistration registration = context.RequestAborted.Register(() => _aborted.TrySetResult());
            await _aborted.Task;
        });
        return app;
    }

    private HttpClient CreateClient(string version, int capacity = 1 << 16) =>
        new(new SocketsHttpHandler
        {
            ConnectCallback = async (_, token) =>
                (await SharedPipe.ConnectAsync($"{_name}-{version}", capacity, cancellationToken: token)).AsStream(),
        })
        {
            BaseAddress = new Uri("http://rings"),
            DefaultRequestVersion = Version.Parse(version),
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };

    /// <summary>Keeps what Kestrel and Tarn log as a warning or worse.</summary>
    private sealed class ServerWarnings : ILoggerProvider, ILogger
    {
        private readonly ConcurrentQueue<string> _messages = new();

        internal string[] Messages => [.. _messages];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel) && !formatter(state, exception).Contains("Hosting failed", StringComparison.Ordinal)
                && exception?.InnerException is not AddressInUseException)
            {
                _messages.Enqueue($"{formatter(state, exception)} {exception}");
            }
        }

        public void Dispose()
        {
        }
    }
}
