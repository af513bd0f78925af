using Tarn.Tests.Support;
using Tarn.Tool.Tests.Commands;
using Tarn.Tool.Tests.Programs;

namespace Tarn.Tool.Tests.Sanitizing;

/// <summary>The framework's own servers and clients are correct, so nothing is found in them, and they still work.</summary>
public class FrameworkScenarioTests
{
    private const string Source =
        """
        using System.IO.Compression;
        using System.Net;
        using System.Net.Http.Json;
        using System.Security.Cryptography;
        using System.Security.Cryptography.X509Certificates;
        using Microsoft.AspNetCore.Server.Kestrel.Core;

        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.Now.AddDays(-1), DateTimeOffset.Now.AddDays(1));

        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.Services.AddResponseCompression(static options => options.EnableForHttps = true);
        builder.WebHost.ConfigureKestrel(options => options.Listen(IPAddress.Loopback, 0, listen =>
        {
            listen.Protocols = HttpProtocols.Http1AndHttp2;
            listen.UseHttps(certificate);
        }));
        await using WebApplication app = builder.Build();
        app.UseResponseCompression();
        app.MapPost("/echo", static (Item[] items) => items);
        await app.StartAsync();

        using var handler = new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.All };
        handler.SslOptions.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
        using var client = new HttpClient(handler) { BaseAddress = new Uri(app.Urls.First()) };
        Item[] sent = [.. Enumerable.Range(0, 400).Select(static i => new Item(i, $"item {i}"))];
        for (int i = 0; i < 60; i++)
        {
            using var message = new HttpRequestMessage(HttpMethod.Post, "/echo")
            {
                Version = i % 2 == 0 ? HttpVersion.Version20 : HttpVersion.Version11,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
                Content = JsonContent.Create(sent),
            };
            using HttpResponseMessage response = await client.SendAsync(message);
            Item[]? received = await response.Content.ReadFromJsonAsync<Item[]>();
            if (!sent.SequenceEqual(received!))
            {
                return 3;
            }

            using var packed = new MemoryStream();
            using (var brotli = new BrotliStream(packed, CompressionLevel.Fastest, leaveOpen: true))
            {
                brotli.Write(new byte[10_000]);
            }
        }

        await app.StopAsync();
        return 0;

        internal sealed record Item(int Number, string Name);
        """;

    [SkippableFact]
    public async Task A_server_and_a_client_with_tls_http2_json_and_compression_have_no_finding()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Programs are started on a private framework on Linux only.");
        Skip.IfNot(StressLength.IsLong, "it runs a server for a while; the long form does it");
        using var program = new WrittenProgram("Microsoft.NET.Sdk.Web", "<TargetFramework>net10.0</TargetFramework>", "", Source);
        program.Build();
        ToolProcess run = await ToolProcess.RunAsync(program.Folder, "sanitize", "--", "dotnet", program.Assembly);
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("SUMMARY: tarn: no error", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("ERROR", run.Error, StringComparison.Ordinal);
    }
}
