using System.Buffers.Binary;
using System.IO.Compression;
using System.Reflection;
using System.Runtime.Loader;
using System.Xml.Linq;
using Tarn.Analyzers.Tests.Pages;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>The metadata of the packages, with and without a publisher's additions.</summary>
[Collection(nameof(PackedFeed))]
public sealed class PackageTests(PackedFeed feed)
{
    private const string Address = "https://example.org/tarn";

    public static TheoryData<string> Packages => [.. PackedFeed.Packages];

    [Theory]
    [MemberData(nameof(Packages))]
    public void A_package_has_an_icon_a_readme_a_licence_and_release_notes(string package)
    {
        using ZipArchive archive = Open(feed.Folder, package);
        XElement metadata = MetadataOf(archive);

        Assert.Equal("MIT", ValueOf(metadata, "license"));
        Assert.Contains("# Tarn", TextOf(archive, ValueOf(metadata, "readme")!), StringComparison.Ordinal);
        using BinaryReader icon = new(archive.GetEntry(ValueOf(metadata, "icon")!)!.Open());
        byte[] start = icon.ReadBytes(24);
        Assert.Equal([0x89, .. "PNG\r\n\u001A\n"u8], start[..8]);
        Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(start.AsSpan(16)));
        Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(start.AsSpan(20)));
    }

    /// <summary>
    /// What the changelog's first section has of the package, each part in one package, and without links, which galleries show as they are
    /// written.
    /// </summary>
    [LongFact]
    public void The_release_notes_are_of_one_release_and_of_one_package()
    {
        const string Repository = "The repository";
        string newest = File.ReadAllText(Sources.At("CHANGELOG.md")).Split("\n## ")[1];
        string[] parts = newest.Split("\n### ");
        string[] all = [.. PackedFeed.Packages.Append("Tarn.Templates").Select(NotesOf)];

        Assert.All(all, static notes => Assert.DoesNotMatch("(?m)^##? ", notes));
        Assert.All(all, static notes => Assert.DoesNotContain("](", notes, StringComparison.Ordinal));
        Assert.All(all, static notes => Assert.Contains("\n### ", notes, StringComparison.Ordinal));
        foreach (string part in parts.Skip(1))
        {
            string heading = part.Split('\n')[0].Split(" (")[0];
            Assert.Equal(
                heading == Repository ? 0 : 1, all.Count(notes => notes.Contains($"### {heading}", StringComparison.Ordinal)));
            IEnumerable<string> items = part.Split('\n')
                .Where(static line => line.StartsWith('-') && !line.Contains("](", StringComparison.Ordinal));
            Assert.All(items, item => Assert.Equal(
                heading == Repository ? 0 : 1, all.Count(notes => notes.Contains(item, StringComparison.Ordinal))));
        }

        string NotesOf(string package)
        {
            using ZipArchive archive = Open(feed.Folder, package);
            return ValueOf(MetadataOf(archive), "releaseNotes")!;
        }
    }

    [Theory]
    [MemberData(nameof(Packages))]
    public void A_readme_shows_nothing_that_galleries_do_not(string package)
    {
        using ZipArchive archive = Open(feed.Folder, package);
        string readme = TextOf(archive, "README.md");

        Assert.DoesNotContain("<!--", readme, StringComparison.Ordinal);
        Assert.DoesNotContain(".svg", readme, StringComparison.Ordinal);
        Assert.DoesNotMatch(@"\]\((?!https://|#)", readme);
    }

    [LongFact]
    public void The_links_of_a_readme_lead_to_the_publisher_s_repository()
    {
        string folder = feed.CreateFolder();
        DotnetRun run = PackedFeed.Pack("src/Tarn", folder, $"-p:PackageProjectUrl={Address}");
        Assert.True(run.ExitCode == 0, run.Output);
        using ZipArchive archive = Open(folder, "Tarn");

        string readme = TextOf(archive, "README.md");
        Assert.Contains($"[`tarn`]({Address}/blob/main/docs/tool.md)", readme, StringComparison.Ordinal);
        Assert.DoesNotMatch(@"\]\((?!https://|#)", readme);
        Assert.Contains("```csharp\nusing Tarn;", readme, StringComparison.Ordinal);
    }

    /// <summary>Each public type and constructor, property and event is in it, and nothing that a user cannot name.</summary>
    [Fact]
    public void The_documentation_is_of_public_members()
    {
        using ZipArchive archive = Open(feed.Folder, "Tarn");
        string[] documented = [.. XDocument.Parse(TextOf(archive, "lib/net10.0/Tarn.xml")).Descendants("member")
            .Select(static member => member.Attribute("name")!.Value)];
        using MemoryStream image = new();
        using (Stream entry = archive.GetEntry("lib/net10.0/Tarn.dll")!.Open())
        {
            entry.CopyTo(image);
        }

        image.Position = 0;
        AssemblyLoadContext context = new(nameof(PackageTests), isCollectible: true);
        Type[] types = context.LoadFromStream(image).GetExportedTypes();
        Assert.Equal(
            types.Select(static type => $"T:{type.FullName!.Replace('+', '.')}").Order(StringComparer.Ordinal),
            documented.Where(static name => name.StartsWith("T:", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        Assert.Equal(
            types.SelectMany(PropertiesOf).Order(StringComparer.Ordinal),
            documented.Where(static name => name.StartsWith("P:", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        Assert.Contains("M:Tarn.BufferPool`1.Rent(System.Int32)", documented);
        Assert.Contains("E:Tarn.Diagnostics.BufferDiagnostics.IncidentFound", documented);
        context.Unload();

        static IEnumerable<string> PropertiesOf(Type type) =>
            from property in type.GetProperties(
                BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly)
            where property.GetAccessors(nonPublic: true)
                .Any(static accessor => accessor.IsPublic || accessor.IsFamily || accessor.IsFamilyOrAssembly)
            where property.GetIndexParameters().Length == 0
            select $"P:{type.FullName!.Replace('+', '.')}.{property.Name}";
    }

    [Fact]
    public void The_analyzers_package_has_the_page_of_each_rule()
    {
        using ZipArchive archive = Open(feed.Folder, "Tarn.Analyzers");

        Assert.Equal(
            RulePage.Ids.Select(static id => $"rules/{id}.md"),
            archive.Entries.Select(static entry => entry.FullName).Where(static name => name.StartsWith("rules/", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal));
    }

    [LongFact]
    public void A_publisher_s_addresses_are_in_the_package()
    {
        XElement metadata = MetadataWith($"-p:PackageProjectUrl={Address}", $"-p:RepositoryUrl={Address}.git");

        Assert.Equal(Address, ValueOf(metadata, "projectUrl"));
        Assert.Equal($"{Address}.git", RepositoryOf(metadata)?.Attribute("url")?.Value);
    }

    [LongFact]
    public void A_package_without_addresses_names_none()
    {
        AssertNoAddress(MetadataWith());
        AssertNoAddress(MetadataWith("-p:PackageProjectUrl=", "-p:RepositoryUrl="));
    }

    [LongTheory]
    [InlineData("PackageProjectUrl", "tarn")]
    [InlineData("PackageProjectUrl", "https://")]
    [InlineData("RepositoryUrl", "git@example.org:tarn")]
    public void Only_https_addresses_are_accepted(string property, string value)
    {
        DotnetRun run = PackedFeed.Pack("src/Tarn.Analyzers", feed.CreateFolder(), $"-p:{property}={value}");

        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains($"{property} is '{value}', which is no address.", run.Output, StringComparison.Ordinal);
    }

    private static void AssertNoAddress(XElement metadata)
    {
        Assert.Null(ValueOf(metadata, "projectUrl"));
        Assert.Null(RepositoryOf(metadata)?.Attribute("url"));
    }

    private XElement MetadataWith(params string[] settings)
    {
        string folder = feed.CreateFolder();
        DotnetRun run = PackedFeed.Pack("src/Tarn.Analyzers", folder, settings);
        Assert.True(run.ExitCode == 0, run.Output);
        using ZipArchive archive = Open(folder, "Tarn.Analyzers");
        return MetadataOf(archive);
    }

    private static ZipArchive Open(string folder, string package) =>
        ZipFile.OpenRead(Assert.Single(Directory.GetFiles(folder, $"{package}.?.*.nupkg")));

    private static XElement MetadataOf(ZipArchive archive) =>
        XElement.Parse(TextOf(archive, archive.Entries.Single(IsDescription).Name)).Elements().Single();

    private static bool IsDescription(ZipArchiveEntry entry) => entry.Name.EndsWith(".nuspec", StringComparison.Ordinal);

    private static string TextOf(ZipArchive archive, string entry)
    {
        using StreamReader reader = new(archive.GetEntry(entry)!.Open());
        return reader.ReadToEnd();
    }

    private static XElement? RepositoryOf(XElement metadata) => metadata.Element(metadata.Name.Namespace + "repository");

    private static string? ValueOf(XElement metadata, string name) => metadata.Element(metadata.Name.Namespace + name)?.Value;
}
