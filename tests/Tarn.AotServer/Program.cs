using System.Runtime.CompilerServices;
using Tarn;

// A web server with what Tarn.AspNetCore adds to one, for a program that is compiled ahead of time: options from the configuration, pooled
// blocks, buffers of a request, the page and the health check. It asks itself, and ends with 1 if an answer is not what it must be.
int failed = 0;
await using WebApplication application = Build(("MaxPooledBytes", "64 MiB"), ("RequestBudget", "16 MiB"), ("RetryAfter", "00:00:02"));
application.MapPost("/length", static async (HttpContext context) =>
{
    RequestBuffers buffers = context.RequestServices.GetRequiredService<RequestBuffers>();
    PooledMemoryStream body = buffers.CreateStream();
    await context.Request.Body.CopyToAsync(body);
    await context.Response.WriteAsync(FormattableString.Invariant($"{body.Length} {body.ToArray().Sum(static value => value)}"));
});
application.MapTarn("/tarn").AllowAnonymous();
application.MapHealthChecks("/health");
await application.StartAsync();

using HttpClient client = new() { BaseAddress = new Uri(application.Urls.First()) };
using ByteArrayContent content = new([.. Enumerable.Repeat((byte)7, 300_000)]);
using HttpResponseMessage answer = await client.PostAsync(new Uri("/length", UriKind.Relative), content);
Check("300000 2100000" == await answer.Content.ReadAsStringAsync(), "a body in a pooled stream has its bytes");
Check("Healthy" == await client.GetStringAsync(new Uri("/health", UriKind.Relative)), "the health check answers");
Check(
    (await client.GetStringAsync(new Uri("/tarn/data.json", UriKind.Relative))).Contains("\"kestrel\"", StringComparison.Ordinal),
    "the page has Kestrel's pool");
Check(
    (await client.GetStringAsync(new Uri("/tarn", UriKind.Relative))).Contains("<html", StringComparison.Ordinal), "the page is a page");
Check(
    Refusal("IdleTimeout", "10").StartsWith("The configuration's Tarn:IdleTimeout is \"10\"", StringComparison.Ordinal),
    "a value is refused");
Check(Refusal("Idle", "1").StartsWith("The configuration has Tarn:Idle, ", StringComparison.Ordinal), "a key is refused");
await application.StopAsync();
string how = RuntimeFeature.IsDynamicCodeSupported ? "compiled just in time" : "compiled ahead of time";
Console.WriteLine($"a server, {how}: {6 - failed} passed, {failed} failed");
return failed == 0 ? 0 : 1;

static WebApplication Build(params (string Key, string Value)[] settings)
{
    WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
    builder.Logging.ClearProviders();
    builder.WebHost.UseUrls("http://127.0.0.1:0");
    builder.Configuration.AddInMemoryCollection(
        settings.Select(static setting => KeyValuePair.Create<string, string?>("Tarn:" + setting.Key, setting.Value)));
    builder.Services.AddTarn(builder.Configuration.GetSection("Tarn"));
    builder.Services.AddHealthChecks().AddTarn();
    return builder.Build();
}

static string Refusal(string key, string value)
{
    try
    {
        using IDisposable application = Build((key, value));
        return "";
    }
    catch (InvalidOperationException refused)
    {
        return refused.Message;
    }
}

void Check(bool holds, string what)
{
    if (!holds)
    {
        failed++;
        Console.Error.WriteLine($"Not so: {what}.");
    }
}
