using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Tarn.AspNetCore.Tests.Support;

/// <summary>Kestrel in this process, on free ports of the loopback: HTTP/1.1, HTTP/2 without TLS, and both with TLS.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    private const string Subject = "CN=localhost";

    private readonly WebApplication _application;

    private RunningServer(WebApplication application) => _application = application;

    internal IServiceProvider Services => _application.Services;

    internal ServerMemoryPoolFactory Pools => Services.GetRequiredService<ServerMemoryPoolFactory>();

    internal Uri Http => AddressAt(0);

    internal Uri Http2 => AddressAt(1);

    internal Uri Https => AddressAt(2);

    /// <summary>The counters of Kestrel's blocks.</summary>
    internal BlockPoolSnapshot Blocks => Assert.Single(Pools.GetSnapshots(), pool => pool.Owner == "kestrel");

    internal static async Task<RunningServer> StartAsync(
        Action<WebApplication> map,
        TarnServerOptions? options = null,
        Action<IServiceCollection>? configureBefore = null,
        Action<IServiceCollection>? configure = null,
        string environment = "Production")
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { EnvironmentName = environment });
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Limits.MinRequestBodyDataRate = null;
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
            kestrel.Listen(IPAddress.Loopback, 0, listen =>
            {
                listen.Protocols = HttpProtocols.Http1AndHttp2;
                listen.UseHttps(s_certificate);
            });
        });
        configureBefore?.Invoke(builder.Services);
        builder.Services.AddTarn(given => given.Take(options ?? given, from: new TarnServerOptions()));
        configure?.Invoke(builder.Services);
        WebApplication application = builder.Build();
        map(application);
        await application.StartAsync();
        return new RunningServer(application);
    }

    /// <summary>A client that trusts the server and speaks one version of HTTP.</summary>
    internal static HttpClient CreateClient(Uri address, Version version) =>
        new(new SocketsHttpHandler
        {
            SslOptions = { RemoteCertificateValidationCallback = static (_, certificate, _, _) => IsOwn(certificate) },
        })
        {
            BaseAddress = address,
            DefaultRequestVersion = version,
            DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };

    /// <summary>Whether a certificate is that of a server of these tests.</summary>
    internal static bool IsOwn(X509Certificate? certificate) => certificate?.Subject == Subject;

    internal HttpClient CreateClient() => CreateClient(Http, HttpVersion.Version11);

    /// <summary>Stops as a host does whose time for it is over.</summary>
    internal Task StopAtOnceAsync() => _application.StopAsync(new CancellationToken(canceled: true));

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private static readonly X509Certificate2 s_certificate = CreateCertificate();

    private static X509Certificate2 CreateCertificate()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new(Subject, key, HashAlgorithmName.SHA256);
        using X509Certificate2 made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), password: null);
    }

    private Uri AddressAt(int index) => new(_application.Urls.ElementAt(index));
}
