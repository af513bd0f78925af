using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Tarn.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Server;

/// <summary>
/// Kestrel on three free ports of the loopback: HTTP/1.1, HTTP/2 without TLS, and HTTP/1.1 with TLS. It reads uploads to their end, sends
/// 1 MiB in pieces of 16 KiB, or answers with two bytes. It counts requests and does not log.
/// </summary>
internal sealed class LoadedServer : IAsyncDisposable
{
    private const int DownloadBytes = 1 << 20;
    private const int PieceBytes = 16 << 10;

    private static readonly byte[] s_small = "ok"u8.ToArray();
    private static readonly byte[] s_piece = new byte[PieceBytes];

    private readonly WebApplication _application;
    private long _requests;

    private LoadedServer(WebApplication application) => _application = application;

    public IEnumerable<int> Ports => _application.Urls.Select(url => new Uri(url).Port);

    /// <param name="pool">
    /// <c>default</c>; <c>tarn</c>, or <c>tarn:</c> and the most pooled bytes; <c>memory-pool</c>, or <c>memory-pool:</c> and the bytes of
    /// a block.
    /// </param>
    /// <param name="settings">What <see cref="ServerSettings"/> applies.</param>
    public static async Task<LoadedServer> StartAsync(string pool, IEnumerable<string> settings)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        X509Certificate2 certificate = CreateCertificate();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
            kestrel.Listen(IPAddress.Loopback, 0, listen =>
            {
                listen.Protocols = HttpProtocols.Http1;
                listen.UseHttps(certificate);
            });
        });
        foreach (string setting in settings)
        {
            ServerSettings.Apply(setting, builder.WebHost);
        }

        AddPool(builder.Services, pool);
        LoadedServer server = new(builder.Build());
        server._application.Run(server.Answer);
        await server._application.StartAsync();
        return server;
    }

    /// <summary>
    /// Returns requests answered, nanoseconds of processor time, bytes allocated, resident bytes, and pooled bytes in use and idle,
    /// separated by spaces.
    /// </summary>
    public string ReadCounters()
    {
        BufferSourceSnapshot blocks = BufferDiagnostics.GetSources().FirstOrDefault(source => source.Name == "kestrel");
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Volatile.Read(ref _requests)} {Environment.CpuUsage.TotalTime.TotalNanoseconds:0} "
            + $"{GC.GetTotalAllocatedBytes(precise: true)} {ResidentMemory.Read()} {blocks.InUseBytes} {blocks.RetainedBytes}");
    }

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private static void AddPool(IServiceCollection services, string pool)
    {
        (string name, string? bytes) = pool.Split(':') is [var left, var right] ? (left, right) : (pool, null);
        switch (name)
        {
            case "tarn":
                services.AddTarn(
                    options => options.MaxPooledBytes = bytes is null ? null : long.Parse(bytes, CultureInfo.InvariantCulture));
                break;
            case "memory-pool":
                services.AddSingleton<IMemoryPoolFactory<byte>>(MemoryPoolFactory.Create(bytes));
                break;
        }
    }

    private async Task Answer(HttpContext context)
    {
        switch (context.Request.Path.Value)
        {
            case "/upload":
                await context.Request.Body.CopyToAsync(Stream.Null, context.RequestAborted);
                break;
            case "/download":
                context.Response.ContentLength = DownloadBytes;
                for (int sent = 0; sent < DownloadBytes; sent += PieceBytes)
                {
                    await context.Response.Body.WriteAsync(s_piece, context.RequestAborted);
                }

                Interlocked.Increment(ref _requests);
                return;
        }

        context.Response.ContentLength = s_small.Length;
        await context.Response.Body.WriteAsync(s_small, context.RequestAborted);
        Interlocked.Increment(ref _requests);
    }

    private static X509Certificate2 CreateCertificate()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        using X509Certificate2 made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), password: null);
    }
}
