using System.Diagnostics;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Tarn.Analyzers.Field;

/// <summary>
/// Restores packages with the command dotnet and tells which assemblies code that refers to them is compiled against. A set of packages is
/// restored once; its project stays in the folder.
/// </summary>
/// <remarks>
/// A version that the sources lack is replaced by the next one, else by the newest. A package that cannot be restored for this framework is
/// left out. No package's code runs.
/// </remarks>
internal sealed partial class RestoredPackages
{
    private readonly string _folder;
    private readonly Dictionary<string, IReadOnlyList<string>> _done = [];

    internal RestoredPackages(string folder)
    {
        _folder = Directory.CreateDirectory(folder).FullName;

        // Projects that restore here take nothing from the folders above.
        foreach (string name in (string[])["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
        {
            File.WriteAllText(Path.Combine(_folder, name), "<Project />");
        }
    }

    /// <summary>Gets the packages that were left out because they could not be restored.</summary>
    internal SortedSet<string> Missing { get; } = [];

    /// <summary>Returns the assemblies of some packages and of those that they depend on; empty for none.</summary>
    internal IReadOnlyList<string> GetAssemblies(IReadOnlyDictionary<string, string> packages)
    {
        string key = KeyOf(packages);
        if (packages.Count == 0)
        {
            return [];
        }

        if (!_done.TryGetValue(key, out IReadOnlyList<string>? assemblies))
        {
            _done[key] = assemblies = Restore(packages);
        }

        return assemblies;
    }

    private IReadOnlyList<string> Restore(IReadOnlyDictionary<string, string> packages)
    {
        SortedDictionary<string, string> wanted = new(StringComparer.OrdinalIgnoreCase);
        foreach ((string id, string version) in packages)
        {
            wanted[id] = version;
        }

        // Each round without success leaves out a package or gives up its version.
        while (wanted.Count > 0)
        {
            if (TryRestore(wanted, out string assets, out string output))
            {
                return ReadAssemblies(assets);
            }

            string[] refused = [.. RefusedPattern().Matches(output).Select(static match => match.Groups[1].Value).Distinct()];
            string[] direct = [.. refused.Where(wanted.ContainsKey)];
            if (direct.Length == 0)
            {
                // What is missing is a dependency; the one that depends on it fails alone too.
                direct = [.. wanted.Where(one => !TryRestore(new Dictionary<string, string> { [one.Key] = one.Value }, out _, out _))
                    .Select(static one => one.Key)];
            }

            if (direct.Length == 0)
            {
                direct = [wanted.Keys.First()];
            }

            foreach (string id in direct)
            {
                if (wanted[id] == "*")
                {
                    Missing.Add(id);
                    wanted.Remove(id);
                }
                else
                {
                    wanted[id] = "*";
                }
            }
        }

        return [];
    }

    /// <summary>Restores a project that refers to the packages, unless that was done before.</summary>
    private bool TryRestore(IReadOnlyDictionary<string, string> packages, out string assets, out string output)
    {
        string project = Path.Combine(_folder, KeyOf(packages));
        assets = Path.Combine(project, "obj", "project.assets.json");
        string refusal = Path.Combine(project, "refused.txt");
        output = File.Exists(refusal) ? File.ReadAllText(refusal) : string.Empty;
        if (output.Length > 0 || File.Exists(Path.Combine(project, "restored.txt")))
        {
            return output.Length == 0;
        }

        Directory.CreateDirectory(project);
        new XElement(
            "Project",
            new XAttribute("Sdk", "Microsoft.NET.Sdk"),
            new XElement(
                "PropertyGroup",
                new XElement("TargetFramework", "net10.0"),
                new XElement("NuGetAudit", "false"),
                new XElement("NoWarn", "NU1603;NU1605;NU1608;NU1701;NU1504;NU1510"),
                new XElement("WarningsNotAsErrors", "NU1605")),
            new XElement(
                "ItemGroup",
                packages.Select(static one => new XElement(
                    "PackageReference", new XAttribute("Include", one.Key), new XAttribute("Version", one.Value)))))
            .Save(Path.Combine(project, "packages.csproj"));
        using Process process = Process.Start(new ProcessStartInfo("dotnet", ["restore", "packages.csproj", "--verbosity", "minimal"])
        {
            WorkingDirectory = project,
            RedirectStandardOutput = true,
        }) ?? throw new InvalidOperationException("dotnet does not start.");
        output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        bool isRestored = process.ExitCode == 0 && File.Exists(assets);
        File.WriteAllText(isRestored ? Path.Combine(project, "restored.txt") : refusal, output + " ");
        return isRestored;
    }

    /// <summary>Returns the assemblies that a restored project is compiled against, by their names without duplicates.</summary>
    private static IReadOnlyList<string> ReadAssemblies(string assets)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(assets));
        JsonElement root = document.RootElement;
        string[] folders = [.. root.GetProperty("packageFolders").EnumerateObject().Select(static one => one.Name)];
        JsonElement libraries = root.GetProperty("libraries");
        IEnumerable<string> files =
            from library in root.GetProperty("targets").EnumerateObject().First().Value.EnumerateObject()
            where library.Value.TryGetProperty("compile", out _)
            from file in library.Value.GetProperty("compile").EnumerateObject()
            where file.Name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            let place = libraries.GetProperty(library.Name).GetProperty("path").GetString()
            let path = folders.Select(folder => Path.Combine(folder, place, file.Name)).FirstOrDefault(File.Exists)
            where path is not null
            select path;
        return [.. files.DistinctBy(static path => Path.GetFileNameWithoutExtension(path), StringComparer.OrdinalIgnoreCase)];
    }

    private static string KeyOf(IReadOnlyDictionary<string, string> packages)
    {
        string text = string.Join(';', packages.OrderBy(static one => one.Key, StringComparer.OrdinalIgnoreCase)
            .Select(static one => $"{one.Key} {one.Value}")).ToUpperInvariant();
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, 10));
    }

    /// <summary>Errors such as "error NU1101: Unable to find package X." and "error NU1202: Package X 1.0.0 is not compatible".</summary>
    [GeneratedRegex(@"error NU\d+:.*?[Pp]ackage '?([\w.-]*\w)")]
    private static partial Regex RefusedPattern();
}
