using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Commands;

namespace Tarn.Tool.Tests.Programs;

/// <summary>A web server under load, which is attached to, recorded and reported while it answers.</summary>
public class WebServerTests
{
    private const string Wrk = "/usr/bin/wrk";

    // The framework rents for each answer. The pause bounds the requests: four connections make at most four in a millisecond.
    private const string Source =
        """
        using System.Buffers;

        var builder = WebApplication.CreateBuilder(args);
        builder.Logging.ClearProviders();
        WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        int requests = 0;
        app.MapGet("/orders", async () =>
        {
            await Task.Delay(1);
            byte[] buffer = ArrayPool<byte>.Shared.Rent(3_000); // loses
            if (Interlocked.Increment(ref requests) % 10 != 0)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }

            return Enumerable.Range(0, 300).Select(number => new { number, text = new string('x', 100) });
        });
        await app.StartAsync();
        Console.WriteLine(app.Urls.First());
        await app.WaitForShutdownAsync();
        """;

    [SkippableFact]
    public async Task The_handler_that_loses_buffers_is_found_at_its_line_and_the_server_goes_on()
    {
        Skip.IfNot(StressLength.IsLong, "it builds and loads a server; the long form does it");
        Skip.IfNot(File.Exists(Wrk), "wrk is not installed here");
        using var program = new WrittenProgram(
            "Microsoft.NET.Sdk.Web", "<TargetFramework>net10.0</TargetFramework><UseAppHost>false</UseAppHost>", "", Source);
        program.Build();
        using Process server = Start(program.Folder, "dotnet", program.Assembly);
        try
        {
            string address = await server.StandardOutput.ReadLineAsync() ?? "";
            using Process load = Start(program.Folder, Wrk, "-t", "1", "-c", "4", "-d", "8s", "--timeout", "30s", $"{address}/orders");
            await Task.Delay(1_000);

            string id = server.Id.ToString(CultureInfo.InvariantCulture);
            ToolProcess record = await ToolProcess.RunAsync(program.Folder, "record", id, "--for", "3s", "-o", "run.tarn");
            ToolProcess report = await ToolProcess.RunAsync(program.Folder, "report", "run.tarn", "-o", "run.html", "--json", "-");
            string loaded = await load.StandardOutput.ReadToEndAsync();

            Assert.True((record.ExitCode, report.ExitCode) == (0, 0), record.Error + report.Error);
            AssertFound(report.Output, program.LineOf("loses"));
            Assert.Contains("Requests/sec:", loaded, StringComparison.Ordinal);
            Assert.DoesNotContain("Socket errors", loaded, StringComparison.Ordinal);
            Assert.DoesNotContain("Non-2xx", loaded, StringComparison.Ordinal);
            Assert.False(server.HasExited);
        }
        finally
        {
            server.Kill();
        }
    }

    private static void AssertFound(string report, int line)
    {
        using JsonDocument json = JsonDocument.Parse(report);
        JsonElement root = json.RootElement;
        Assert.Equal(0, root.GetProperty("lostEvents").GetInt64());
        JsonElement[] likely =
        [
            .. root.GetProperty("lost").EnumerateArray().Where(site => site.GetProperty("certainty").GetString() == "likely"),
        ];
        Assert.NotEmpty(likely);
        Assert.All(likely, site =>
        {
            // The threads of the pool have other callers when their code is compiled anew, so it may be several sites.
            JsonElement frame = site.GetProperty("frames")[0];
            Assert.EndsWith("Program.cs", frame.GetProperty("file").GetString(), StringComparison.Ordinal);
            Assert.Equal(line, frame.GetProperty("line").GetInt32());
        });
        Assert.Equal(0, root.GetProperty("returnedTwice").GetArrayLength());

        // The framework's own buffers come back.
        Assert.Contains(
            root.GetProperty("held").EnumerateArray().SelectMany(site => site.GetProperty("frames").EnumerateArray()),
            one => one.GetProperty("method").GetString()!.StartsWith("System.Text.Json.", StringComparison.Ordinal));
    }

    private static Process Start(string folder, string program, params string[] arguments) =>
        Process.Start(new ProcessStartInfo(program, arguments) { WorkingDirectory = folder, RedirectStandardOutput = true })!;
}
