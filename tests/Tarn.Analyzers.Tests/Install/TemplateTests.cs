using System.IO.Compression;
using System.Net;
using System.Text.RegularExpressions;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The templates, each made, built against the packed feed and run.</summary>
[Collection(nameof(PackedFeed))]
public sealed partial class TemplateTests(PackedFeed feed)
{
    [LongFact]
    public void A_worker_ends_with_its_documents()
    {
        MadeProject worker = Make("tarn-worker");

        DotnetRun run = worker.Run();
        Assert.True(run.ExitCode == 0, run.Output);
        Assert.Matches("1000 documents of [1-9][0-9]+ bytes; 0 bytes still in use; the longest wait was ", run.Output);
    }

    [LongFact]
    public async Task Two_processes_exchange_messages()
    {
        MadeProject program = Make("tarn-ipc");

        Assert.Equal(2, program.Run().ExitCode);
        Task<DotnetRun> read = Task.Run(() => program.Run("read"));
        DotnetRun written = program.Run("write");
        DotnetRun all = await read;
        Assert.True((written.ExitCode, all.ExitCode) == (0, 0), written.Output + all.Output);
        Assert.Matches("1,000,000 messages with the sum 499999500000, ", all.Output);
    }

    [LongFact]
    public async Task A_server_answers()
    {
        MadeProject program = Make("tarn-server");
        await using RunningProgram server = program.Start("--urls", "http://127.0.0.1:0");
        Match listening = await server.ReadUntilAsync(ListeningLine());
        using HttpClient client = new() { BaseAddress = new Uri(listening.Groups[1].Value) };
        byte[] body = [.. Enumerable.Range(0, 300_000).Select(static number => (byte)(number / 100))];

        using ByteArrayContent content = new(body);
        using HttpResponseMessage answer = await client.PostAsync(new Uri("/compress", UriKind.Relative), content);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        await using GZipStream gzip = new(await answer.Content.ReadAsStreamAsync(), CompressionMode.Decompress);
        using MemoryStream decompressed = new();
        await gzip.CopyToAsync(decompressed);
        Assert.Equal(body, decompressed.ToArray());
        Assert.Equal("Healthy", await client.GetStringAsync(new Uri("/health", UriKind.Relative)));
        using HttpResponseMessage page = await client.GetAsync(new Uri("/tarn/data.json", UriKind.Relative));
        Assert.Equal(HttpStatusCode.NotFound, page.StatusCode);
    }

    [LongFact]
    public async Task A_server_shows_developers_its_page()
    {
        MadeProject program = Make("tarn-server");
        await using RunningProgram server = program.Start("--urls", "http://127.0.0.1:0", "--environment", "Development");
        Match listening = await server.ReadUntilAsync(ListeningLine());
        using HttpClient client = new() { BaseAddress = new Uri(listening.Groups[1].Value) };

        Assert.Contains("kestrel", await client.GetStringAsync(new Uri("/tarn/data.json", UriKind.Relative)), StringComparison.Ordinal);
    }

    [Fact]
    public void Templates_name_the_version_that_is_packed()
    {
        string version = VersionPrefix().Match(File.ReadAllText(Sources.At("Directory.Build.props"))).Groups[1].Value;
        string[] projects = Directory.GetFiles(Sources.At("templates"), "TarnProgram.csproj", SearchOption.AllDirectories);

        Assert.Equal(3, projects.Length);
        Assert.All(
            projects,
            project => Assert.Equal(version, TarnReference().Match(File.ReadAllText(project)).Groups[1].Value));
    }

    private MadeProject Make(string template)
    {
        string folder = feed.CreateFolder();
        string hive = Path.Combine(folder, "hive");
        string project = Path.Combine(folder, "Made");
        string package = Assert.Single(Directory.GetFiles(feed.Folder, "Tarn.Templates.*.nupkg"));
        MadeProject made = new(project, Path.Combine(folder, "packages"));
        made.Do("new", "install", package, "--debug:custom-hive", hive);
        made.Do("new", template, "--name", "Made", "--output", project, "--debug:custom-hive", hive);

        // Files above the folder do not belong to this project.
        File.WriteAllText(Path.Combine(project, "Directory.Build.props"), "<Project />");
        File.WriteAllText(Path.Combine(project, "Directory.Packages.props"), "<Project />");
        made.Do("build", project, "-nologo", "-warnaserror", $"-p:RestoreAdditionalProjectSources={feed.Folder}");
        return made;
    }

    [GeneratedRegex("Now listening on: (http://[0-9.:]+)")]
    private static partial Regex ListeningLine();

    [GeneratedRegex("<VersionPrefix>([^<]+)</VersionPrefix>")]
    private static partial Regex VersionPrefix();

    [GeneratedRegex("Include=\"Tarn[.A-Za-z]*\" Version=\"([^\"]+)\"")]
    private static partial Regex TarnReference();
}
