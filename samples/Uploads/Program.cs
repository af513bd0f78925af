using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Samples;

const long LongestUpload = 64 << 20;

int? uploads = args switch
{
    [] => 0,
    ["--load", string count] when int.TryParse(count, CultureInfo.InvariantCulture, out int asked) && asked > 0 => asked,
    _ => null,
};
if (uploads is null)
{
    Console.Error.WriteLine($"Unknown arguments: {string.Join(' ', args)}. Usage: [--load <uploads from 1>]");
    return 2;
}

DirectoryInfo folder = Directory.CreateTempSubdirectory("uploads-");
try
{
    WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
    builder.Logging.SetMinimumLevel(LogLevel.Warning);
    builder.WebHost.UseUrls(uploads == 0 ? "http://127.0.0.1:5080" : "http://127.0.0.1:0");

    // Kestrel answers 413 to a longer upload, so that no client can fill the memory.
    builder.WebHost.ConfigureKestrel(static kestrel => kestrel.Limits.MaxRequestBodySize = LongestUpload);
    // Kestrel reads a body in blocks of 64 KiB instead of 4 KiB, under a cap.
    builder.Services.AddTarn();
    await using WebApplication app = builder.Build();

    UploadStore store = new(folder.FullName);
    app.MapPost("/uploads", store.SaveAsync);
    app.MapGet("/uploads/{hash}", store.Find);
    // Whoever reaches the server sees the page, and only this machine does. Others would be admitted by RequireAuthorization.
    app.MapTarn("/tarn").AllowAnonymous();
    await app.StartAsync();

    string address = app.Urls.First();
    if (uploads > 0)
    {
        return await Load.RunAsync(new Uri(address), uploads.Value);
    }

    Console.WriteLine($"Files are kept in {folder.FullName} until the server ends. Ctrl+C ends it.");
    Console.WriteLine($"Upload: curl --data-binary @<file> {address}/uploads");
    Console.WriteLine($"Memory: {address}/tarn in a browser");
    await app.WaitForShutdownAsync();
    return 0;
}
finally
{
    folder.Delete(recursive: true);
}
