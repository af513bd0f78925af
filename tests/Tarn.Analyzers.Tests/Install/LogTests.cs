using System.Text.Json;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The log that a build writes for other tools, in the format SARIF.</summary>
[Collection(nameof(PackedFeed))]
public sealed class LogTests(PackedFeed feed)
{
    private const string ReturnedTwice =
        """
        using System.Buffers;

        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        Console.WriteLine(buffer[0]);
        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        """;

    /// <summary>With the analyzers alone, and with the library, which brings them.</summary>
    [LongTheory]
    [InlineData("Tarn.Analyzers")]
    [InlineData("Tarn")]
    public void A_finding_links_to_the_page_in_the_package(string package)
    {
        InstalledProject project = feed.CreateProject(package);
        project.Write("Program.cs", ReturnedTwice);

        DotnetRun build = project.Build("-p:ErrorLog=log.sarif%2Cversion=2.1");

        Assert.True(build.ExitCode == 0, build.Output);
        using JsonDocument log = JsonDocument.Parse(File.ReadAllText(project.PathOf("log.sarif")));
        JsonElement run = log.RootElement.GetProperty("runs")[0];
        JsonElement[] rules = [.. run.GetProperty("tool").GetProperty("driver").GetProperty("rules").EnumerateArray()];
        JsonElement result = Assert.Single(run.GetProperty("results").EnumerateArray());
        JsonElement rule = rules[result.GetProperty("ruleIndex").GetInt32()];
        Assert.Equal("TARN001", rule.GetProperty("id").GetString());
        Uri page = new(rule.GetProperty("helpUri").GetString()!);
        Assert.StartsWith("# TARN001: ", File.ReadAllText(page.LocalPath), StringComparison.Ordinal);
        Assert.Contains($"({page.AbsoluteUri})", build.Output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(Path.GetDirectoryName(page.LocalPath)!, "..", "analyzer.md")));

        // Rules without a finding have no link, but each says what it finds.
        Assert.All(
            rules.Where(static one => one.GetProperty("id").GetString()!.StartsWith("TARN", StringComparison.Ordinal)),
            static one => Assert.NotEmpty(one.GetProperty("fullDescription").GetProperty("text").GetString()!));
    }
}
