using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Tarn.Lab.Scenarios;

/// <summary>Kestrel under uploads of 300 KiB: half as multipart forms, read as forms; half as plain bodies, copied on.</summary>
internal sealed class UploadScenario : Scenario
{
    private const int Bytes = 300 << 10;
    private const int Clients = 16;

    public override string Name => "kestrel-uploads";

    public override async Task<IAsyncDisposable> ServeAsync(Action<int> onReady) => await WebServer.StartAsync(
        HttpProtocols.Http1,
        application =>
        {
            application.MapPost("/form", async (HttpRequest request) =>
            {
                IFormCollection form = await request.ReadFormAsync();
                await form.Files[0].CopyToAsync(Stream.Null);
                return form.Files[0].Length;
            });
            application.MapPost("/body", async (HttpRequest request) => await request.Body.CopyToAsync(Stream.Null));
        },
        onReady);

    public override async Task LoadAsync(int port, CancellationToken end)
    {
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        var file = new byte[Bytes];
        await RepeatAsync(Clients, Ask, end);

        async Task Ask(Random random)
        {
            bool isForm = random.Next(2) == 0;
            using HttpContent content = isForm
                ? new MultipartFormDataContent { { new ByteArrayContent(file), "file", "upload.bin" } }
                : new ByteArrayContent(file);
            using HttpResponseMessage answer = await client.PostAsync(new Uri(isForm ? "/form" : "/body", UriKind.Relative), content, end);
            answer.EnsureSuccessStatusCode();
        }
    }
}
