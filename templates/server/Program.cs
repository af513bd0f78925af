using System.IO.Compression;
using Tarn;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);

// Kestrel's blocks and MVC's arrays come from Tarn's pools, with the caps of appsettings.json.
builder.Services.AddTarn(builder.Configuration.GetSection("Tarn"));
builder.Services.AddHealthChecks().AddTarn();

WebApplication app = builder.Build();

// Compresses a body that Kestrel takes, by default up to 30 MB. It waits while the budget has no room. A request that waits longer than
// RequestBudgetTimeout, or with others for each other, is answered with 503 and Retry-After; one that can never fit with 413.
app.MapPost("/compress", static async (HttpContext context, RequestBuffers buffers) =>
{
    PooledMemoryStream compressed = buffers.CreateStream();

    // Not "await using": after a refusal, an asynchronous disposal would wait for room again, to write what nobody sends.
    using (GZipStream gzip = new(compressed, CompressionLevel.Fastest, leaveOpen: true))
    {
        await context.Request.Body.CopyToAsync(gzip, context.RequestAborted);
        await gzip.FlushAsync(context.RequestAborted);
    }

    context.Response.ContentType = "application/gzip";
    context.Response.ContentLength = compressed.Length;
    compressed.Position = 0;
    await compressed.CopyToAsync(context.Response.Body, context.RequestAborted);
});

app.MapHealthChecks("/health");

// Pools, heaps, budgets and streams, live. Outside of Development the page is closed, and RequireAuthorization opens it.
app.MapTarn("/tarn");
app.Run();
