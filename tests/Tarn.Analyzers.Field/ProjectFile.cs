using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Tarn.Analyzers.Field;

/// <summary>A project file, read without building: its sources, its references and a few properties.</summary>
/// <remarks>
/// Conditions are ignored and only the simplest properties are expanded, so what it gives is close to the project, not equal.
/// </remarks>
internal sealed partial class ProjectFile
{
    private static readonly string[] s_implicitUsings =
        [
            "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading",
            "System.Threading.Tasks",
        ];

    private static readonly string[] s_webUsings =
        [
            "System.Net.Http.Json", "Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Http",
            "Microsoft.AspNetCore.Routing", "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection",
            "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging",
        ];

    private readonly XElement _xml;

    private readonly string _root;

    /// <param name="path">The project file; if there is none, its folder is a project.</param>
    /// <param name="root">The root of the tree it is in.</param>
    internal ProjectFile(string path, string root)
    {
        Path = path;
        _root = root;
        _xml = Load(path) ?? new XElement("Project", new XAttribute("Sdk", "none"));
    }

    internal string Path { get; }

    internal string AssemblyName =>
        GetProperty("AssemblyName") is { } name && !name.Contains('$') ? name : System.IO.Path.GetFileNameWithoutExtension(Path);

    /// <summary>Namespaces and aliases that all files import, as directives.</summary>
    internal IEnumerable<string> GlobalUsings
    {
        get
        {
            bool isWeb = _xml.Attribute("Sdk")?.Value == "Microsoft.NET.Sdk.Web";
            string[] implied = GetProperty("ImplicitUsings") is not ("enable" or "true") ? []
                : isWeb ? [.. s_implicitUsings, .. s_webUsings]
                : s_implicitUsings;
            IEnumerable<string> stated =
                from file in Imported.Select(static one => one.File).Prepend(_xml)
                from item in file.Descendants()
                where item.Name.LocalName == "Using"
                let name = item.Attribute("Include")?.Value
                where name is not null
                select item.Attribute("Alias") is { } alias ? $"{alias.Value} = {name}"
                    : string.Equals(item.Attribute("Static")?.Value, "true", StringComparison.OrdinalIgnoreCase) ? $"static {name}" : name;
            return implied.Concat(stated).Distinct();
        }
    }

    /// <summary>The files that a build imports: those that the project names, those above it, and those that these name.</summary>
    private List<(XElement File, string Folder)> Imported
    {
        get
        {
            HashSet<string> known = [];
            List<(XElement File, string Folder)> files = [];
            Queue<(XElement File, string Folder)> open = new([(_xml, FolderOf(Path))]);
            for (string? folder = FolderOf(Path); folder?.Length >= _root.Length; folder = System.IO.Path.GetDirectoryName(folder))
            {
                Add(System.IO.Path.Combine(folder, "Directory.Build.props"));
                Add(System.IO.Path.Combine(folder, "Directory.Build.targets"));
            }

            while (open.TryDequeue(out (XElement File, string Folder) next))
            {
                foreach (XElement import in next.File.Descendants().Where(static one => one.Name.LocalName == "Import"))
                {
                    Add(System.IO.Path.GetFullPath(Expand(import.Attribute("Project")?.Value ?? string.Empty, next.Folder)));
                }
            }

            return files;

            void Add(string path)
            {
                if (path.StartsWith(_root, StringComparison.Ordinal) && known.Add(path) && Load(path) is { } file)
                {
                    files.Add((file, FolderOf(path)));
                    open.Enqueue((file, FolderOf(path)));
                }
            }
        }
    }

    internal IEnumerable<string> References =>
        from item in Elements("ProjectReference")
        let include = item.Attribute("Include")?.Value
        where include is not null && item.Attribute("OutputItemType") is null
        let path = System.IO.Path.GetFullPath(Expand(include, FolderOf(Path)))
        where path.EndsWith(".csproj", StringComparison.Ordinal) && File.Exists(path)
        select path;

    /// <summary>The packages that the project refers to, with their least versions; a star if none is stated.</summary>
    internal IEnumerable<KeyValuePair<string, string>> Packages
    {
        get
        {
            XElement[] above = [.. FilesAbove().Select(Load).OfType<XElement>()];
            IEnumerable<XElement> stated = above.Prepend(_xml).SelectMany(static file => file.Descendants());
            ILookup<string, string> versions = stated
                .Where(static one => one.Name.LocalName is "PackageReference" or "PackageVersion")
                .Select(static one => (Id: one.Attribute("Include")?.Value ?? one.Attribute("Update")?.Value, Version: VersionOf(one)))
                .Where(static one => one is { Id: not null, Version: not null })
                .ToLookup(static one => one.Id!, one => ExpandVersion(one.Version!, above), StringComparer.OrdinalIgnoreCase);
            return
                from item in stated
                where item.Name.LocalName is "PackageReference" or "GlobalPackageReference"
                let id = item.Attribute("Include")?.Value
                where id is not null && IdPattern().IsMatch(id)
                select KeyValuePair.Create(id, versions[id].FirstOrDefault(version => VersionPattern().IsMatch(version)) ?? "*");
        }
    }

    /// <summary>The source files, in the order of their names.</summary>
    internal IEnumerable<string> GetSources()
    {
        string folder = FolderOf(Path);
        HashSet<string> files = [];
        bool isSdk = _xml.Attribute("Sdk") is not null || Elements("Import").Any(static import => import.Attribute("Sdk") is not null);
        bool isListed = Elements("EnableDefaultCompileItems").Concat(Elements("EnableDefaultItems"))
            .Any(static one => one.Value.Trim() == "false");
        if (isSdk && !isListed)
        {
            AddFolder(folder, files);
        }

        foreach (string import in Elements("Import").Select(static one => one.Attribute("Project")?.Value ?? string.Empty))
        {
            if (import.EndsWith(".projitems", StringComparison.Ordinal) && Load(Expand(import, folder)) is { } shared)
            {
                AddItems(shared, FolderOf(Expand(import, folder)), files, FolderOf(Expand(import, folder)));
            }
        }

        // What an imported file includes is relative to the project, unless it names its own folder.
        foreach ((XElement imported, string here) in Imported.Append((_xml, folder)))
        {
            AddItems(imported, folder, files, here);
        }

        if (files.Count == 0)
        {
            AddFolder(folder, files);
        }

        return files.Where(static file => File.Exists(file) && !Regex.IsMatch(file, @"[/\\](bin|obj)[/\\]"))
            .Order(StringComparer.Ordinal);
    }

    /// <summary>The last value of a property in the project, else in the files above it that apply to all projects.</summary>
    internal string? GetProperty(string name)
    {
        IEnumerable<XElement> found = Elements(name);
        string? folder = FolderOf(Path);
        for (; !found.Any() && folder?.Length >= _root.Length; folder = System.IO.Path.GetDirectoryName(folder))
        {
            string above = System.IO.Path.Combine(folder, "Directory.Build.props");
            found = Load(above)?.Descendants().Where(one => one.Name.LocalName == name) ?? [];
        }

        return found.LastOrDefault()?.Value.Trim();
    }

    /// <summary>The files of the folders above that may state properties, packages and their versions, the nearest first.</summary>
    private IEnumerable<string> FilesAbove()
    {
        for (string? folder = FolderOf(Path); folder?.Length >= _root.Length; folder = System.IO.Path.GetDirectoryName(folder))
        {
            foreach (string place in (string[])[folder, System.IO.Path.Combine(folder, "eng"), System.IO.Path.Combine(folder, "build")])
            {
                if (Directory.Exists(place))
                {
                    foreach (string file in Directory.EnumerateFiles(place).Where(IsShared).Order(StringComparer.Ordinal))
                    {
                        yield return file;
                    }
                }
            }
        }
    }

    private static bool IsShared(string file) =>
        file.EndsWith(".props", StringComparison.Ordinal) || file.EndsWith(".targets", StringComparison.Ordinal);

    private static string? VersionOf(XElement item) =>
        item.Attribute("VersionOverride")?.Value ?? item.Attribute("Version")?.Value
        ?? item.Elements().FirstOrDefault(static one => one.Name.LocalName == "Version")?.Value.Trim();

    /// <summary>Replaces properties in a version, such as $(SerilogVersion), and properties in those.</summary>
    private string ExpandVersion(string version, IReadOnlyList<XElement> above)
    {
        for (int depth = 0; depth < 4 && version.Contains("$(", StringComparison.Ordinal); depth++)
        {
            version = PropertyPattern().Replace(
                version,
                used => above.Prepend(_xml).SelectMany(static file => file.Descendants())
                    .FirstOrDefault(one => one.Name.LocalName == used.Groups[1].Value)?.Value.Trim() ?? string.Empty);
        }

        return version;
    }

    private static string FolderOf(string path) => System.IO.Path.GetDirectoryName(path)!;

    private static XElement? Load(string path)
    {
        try
        {
            return File.Exists(path) ? XElement.Load(path) : null;
        }
        catch (System.Xml.XmlException)
        {
            return null;
        }
    }

    /// <summary>Adds a folder's files and those of the folders in it that are no projects of their own.</summary>
    private static void AddFolder(string folder, HashSet<string> files)
    {
        files.UnionWith(Directory.EnumerateFiles(folder, "*.cs"));
        foreach (string inner in Directory.EnumerateDirectories(folder))
        {
            if (System.IO.Path.GetFileName(inner) is not ("bin" or "obj") && !Directory.EnumerateFiles(inner, "*.csproj").Any())
            {
                AddFolder(inner, files);
            }
        }
    }

    private void AddItems(XElement xml, string folder, HashSet<string> files, string here)
    {
        foreach (XElement item in xml.Descendants().Where(static one => one.Name.LocalName == "Compile"))
        {
            foreach (string pattern in Patterns(item, "Include", folder, here))
            {
                string top = FolderOf(pattern[..(pattern + '*').IndexOf('*', StringComparison.Ordinal)]);
                Regex match = Matching(pattern);
                IEnumerable<string> inside =
                    Directory.Exists(top) ? Directory.EnumerateFiles(top, "*.cs", SearchOption.AllDirectories) : [];
                files.UnionWith(pattern.Contains('*') ? inside.Where(file => match.IsMatch(file)) : [pattern]);
            }

            foreach (Regex removed in Patterns(item, "Remove", folder, here).Select(Matching))
            {
                files.RemoveWhere(file => removed.IsMatch(file));
            }
        }
    }

    private IEnumerable<string> Patterns(XElement item, string attribute, string folder, string here) =>
        (item.Attribute(attribute)?.Value ?? string.Empty).Split(';', StringSplitOptions.RemoveEmptyEntries)
            .Select(part => System.IO.Path.GetFullPath(Expand(part, folder, here)));

    /// <summary>Two stars are any number of folders, one is any part of a name.</summary>
    private static Regex Matching(string pattern) => new(
        $"^{Regex.Escape(pattern).Replace(@"\*\*/", "(.*/)?", StringComparison.Ordinal).Replace(@"\*\*", ".*", StringComparison.Ordinal)
            .Replace(@"\*", "[^/]*", StringComparison.Ordinal)}$");

    private string Expand(string text, string folder, string? here = null)
    {
        string path = text.Replace('\\', '/')
            .Replace("$(MSBuildThisFileDirectory)", (here ?? folder) + "/", StringComparison.Ordinal)
            .Replace("$(MSBuildProjectDirectory)", folder, StringComparison.Ordinal)
            .Replace("$(RepoRoot)", _root + "/", StringComparison.Ordinal)
            .Replace("$(CommonPath)", _root + "/src/Common/src", StringComparison.Ordinal)
            .Replace("$(BclSourcesRoot)", _root + "/src/mscorlib/src", StringComparison.Ordinal)
            .Trim();
        return System.IO.Path.IsPathRooted(path) ? path : $"{folder}/{path}";
    }

    private IEnumerable<XElement> Elements(string name) => _xml.Descendants().Where(one => one.Name.LocalName == name);

    [GeneratedRegex(@"^[\w.-]+$")]
    private static partial Regex IdPattern();

    [GeneratedRegex(@"^[\[(]?\d[\w.+-]*(, ?[\w.+-]*[\])])?\]?$")]
    private static partial Regex VersionPattern();

    [GeneratedRegex(@"\$\((\w+)\)")]
    private static partial Regex PropertyPattern();
}
