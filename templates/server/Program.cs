using System.IO.Compression;
using Tarn;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);

// Kestrel's blocks and MVC's arrays come from Tarn's pools, with the caps of appsettings.json.
builder.Services.AddTarn(builder.Configuration.GetSection("Tarn"));
builder.Services.AddHealthChecks().AddTarn();

WebApplication app = builder.Build();

// Compresses a body of any length that the budget has room for. A request that finds no room is answered with 503 and Retry-After.
app.MapPost("/compress", static async (HttpContext context, RequestBuffers buffers) =>
{
    PooledMemoryStream compressed = buffers.CreateStream();
    await using (GZipStream gzip = new(compressed, CompressionLevel.Fastest, leaveOpen: true))
    {
        await context.Request.Body.CopyToAsync(gzip, context.RequestAborted);
    }

    context.Response.ContentType = "application/gzip";
    context.Response.ContentLength = compressed.Length;
    compressed.Position = 0;
    await compressed.CopyToAsync(context.Response.Body, context.RequestAborted);
});

app.MapHealthChecks("/health");

// Pools, heaps and streams, live. It answers only requests from this machine.
app.MapTarn("/tarn");
app.Run();
