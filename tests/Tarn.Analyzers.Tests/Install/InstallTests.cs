using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The packages installed in a fresh project, and a real build of it.</summary>
[Collection(nameof(PackedFeed))]
public sealed class InstallTests(PackedFeed feed)
{
    private const string ReturnedTwice =
        """
        using System.Buffers;

        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        Console.WriteLine(buffer[0]);
        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        """;

    private const string WebServer =
        """
        using Microsoft.AspNetCore.Builder;
        using Microsoft.AspNetCore.Hosting;
        using Microsoft.Extensions.DependencyInjection;
        using Tarn;
        using Tarn.Diagnostics;

        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddTarn();
        await using WebApplication app = builder.Build();
        app.MapTarn("/tarn").AllowAnonymous();
        await app.StartAsync();
        using HttpClient client = new();
        string data = await client.GetStringAsync(app.Urls.First() + "/tarn/data.json");
        BufferSourceSnapshot blocks = BufferDiagnostics.GetSources().Single(source => source.Name == "kestrel");
        Console.WriteLine(data.Contains("kestrel") && blocks.Rented > 0 ? "served from kestrel" : data);
        """;

    private const string ReturnedTwiceThroughWrapper =
        """
        using System.Buffers;

        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        Company.Buffers.GiveBack(buffer);
        Company.Buffers.GiveBack(buffer);

        namespace Company
        {
            internal static class Buffers
            {
                private static readonly System.Action<byte[]> s_return = static buffer => ArrayPool<byte>.Shared.Return(buffer);

                internal static void GiveBack(byte[] buffer) => s_return(buffer);
            }
        }
        """;

    [LongFact]
    public void The_lease_of_the_readme_runs_in_an_empty_project()
    {
        byte[] frames = [.. Enumerable.Range(0, 4000).Select(static number => (byte)number)];
        InstalledProject project = feed.CreateProject("Tarn");
        project.Write("Program.cs", FirstExampleOf("README.md"));
        project.Write("frames.bin", frames);

        DotnetRun build = project.Build();
        Assert.True(build.ExitCode == 0, build.Output);
        DotnetRun run = project.Run();

        Assert.Equal(0, run.ExitCode);
        Assert.Equal(Convert.ToHexString(frames), run.Output.Trim());
    }

    [LongFact]
    public void The_library_brings_the_analyzers()
    {
        InstalledProject project = feed.CreateProject("Tarn");
        project.Write("Program.cs", ReturnedTwice.Replace("ArrayPool", "Tarn.BufferPool", StringComparison.Ordinal));

        DotnetRun build = project.Build();

        Assert.Equal(0, build.ExitCode);
        Assert.Contains("Program.cs(6,1): warning TARN001: 'buffer' is returned a second time", build.Output, StringComparison.Ordinal);
    }

    [LongFact]
    public void A_web_server_with_the_package_for_ASP_NET_Core_serves_from_its_blocks()
    {
        InstalledProject project = feed.CreateProject("Tarn.AspNetCore");
        project.Write("Program.cs", WebServer);

        DotnetRun build = project.Build();
        Assert.True(build.ExitCode == 0, build.Output);
        DotnetRun run = project.Run();

        Assert.Equal(0, run.ExitCode);
        Assert.Contains("served from kestrel", run.Output, StringComparison.Ordinal);
    }

    [LongFact]
    public void The_analyzers_install_alone()
    {
        InstalledProject project = feed.CreateProject("Tarn.Analyzers");
        project.Write("Program.cs", ReturnedTwice);

        DotnetRun build = project.Build();

        Assert.Equal(0, build.ExitCode);
        Assert.Contains("Program.cs(6,1): warning TARN001", build.Output, StringComparison.Ordinal);
    }

    [LongFact]
    public void A_rule_made_an_error_fails_the_build()
    {
        InstalledProject project = feed.CreateProject("Tarn.Analyzers");
        project.Write("Program.cs", ReturnedTwice);
        project.WriteOptions("dotnet_diagnostic.TARN001.severity = error");

        DotnetRun build = project.Build();

        Assert.NotEqual(0, build.ExitCode);
        Assert.Contains("Program.cs(6,1): error TARN001", build.Output, StringComparison.Ordinal);
    }

    [LongFact]
    public void A_wrapper_that_the_options_name_is_known()
    {
        InstalledProject project = feed.CreateProject("Tarn.Analyzers");
        project.Write("Program.cs", ReturnedTwiceThroughWrapper);
        Assert.DoesNotContain("TARN001", project.Build().Output, StringComparison.Ordinal);

        project.WriteOptions("tarn_return_methods = Company.Buffers.GiveBack");
        Assert.Contains("Program.cs(5,1): warning TARN001", project.Build().Output, StringComparison.Ordinal);
    }

    private static string FirstExampleOf(string document)
    {
        const string start = "```csharp\n";
        string text = File.ReadAllText(Sources.At(document)).ReplaceLineEndings("\n");
        int from = text.IndexOf(start, StringComparison.Ordinal) + start.Length;
        return text[from..text.IndexOf("```", from, StringComparison.Ordinal)];
    }
}
