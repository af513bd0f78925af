using Tarn.Sanitizing.Grafting;
using Tarn.Sanitizing.Platform;

namespace Tarn.Sanitizing.Launching;

/// <summary>The cache of private frameworks.</summary>
/// <remarks>
/// A copy is built under a name of its own and then renamed, so that it is complete wherever it exists. Processes that build the same one
/// at the same time all use the first. A copy is never changed: its name has the id of CoreLib's module, the names of what it links, and
/// the id of this code.
/// </remarks>
internal sealed class PrivateCopies(string root)
{
    private const string CoreLib = "System.Private.CoreLib.dll";
    private const string Framework = "Microsoft.NETCore.App";
    private const int MostAttempts = 50;

    private static readonly string[] s_runtimes = ["libcoreclr.so", "libcoreclr.dylib", "coreclr.dll"];

    /// <summary>What finds the framework by its own place must lie beside it.</summary>
    private static readonly string[] s_hosts =
    [
        "libhostfxr.so", "libhostfxr.dylib", "hostfxr.dll", "libhostpolicy.so", "libhostpolicy.dylib", "hostpolicy.dll",
    ];

    private const int IdLength = 16;

    private readonly string _folder = Path.Combine(root, typeof(PrivateCopies).Module.ModuleVersionId.ToString("N")[..IdLength]);

    /// <summary>The folder of all copies.</summary>
    public string Root { get; } = root;

    /// <summary>Whether a folder has the name of one that a version of the sanitizer keeps its copies in.</summary>
    public static bool IsFolderName(string name) => name.Length == IdLength && name.All(char.IsAsciiHexDigitLower);

    /// <summary>Whether a folder is a version of the shared framework in an installation of .NET.</summary>
    public static bool IsShared(string frameworkFolder) =>
        Path.GetFileName(Path.GetDirectoryName(frameworkFolder)) == Framework && InstallationOf(frameworkFolder) is not null;

    /// <summary>The root of an installation in which one version of the framework is grafted, and everything else is a link.</summary>
    /// <param name="frameworkFolder">As in <c>/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.0</c>.</param>
    /// <param name="module">The id of CoreLib's module.</param>
    /// <exception cref="GraftException">This framework cannot be grafted.</exception>
    public PrivateCopy OfInstallation(string frameworkFolder, Guid module)
    {
        string version = Path.GetFileName(frameworkFolder);
        string installation = InstallationOf(frameworkFolder) ?? throw new GraftException($"{frameworkFolder} lies in no installation");
        string shared = Path.Combine(installation, "shared");
        string siblings = Path.Combine(shared, Framework);
        return GetOrBuild(version, module, frameworkFolder, [installation, shared, siblings], copy =>
        {
            MirroredFolder.Create(installation, copy, "shared", "host", HostSystem.Muxer);
            File.Copy(Path.Combine(installation, HostSystem.Muxer), Path.Combine(copy, HostSystem.Muxer));
            MirroredFolder.Copy(Path.Combine(installation, "host"), Path.Combine(copy, "host"));
            MirroredFolder.Create(shared, Path.Combine(copy, "shared"), Framework);
            MirroredFolder.Create(siblings, Path.Combine(copy, "shared", Framework), version);
            return Path.Combine(copy, "shared", Framework, version);
        });
    }

    /// <summary>A copy of an application that brings its own framework.</summary>
    /// <param name="folder">The application's folder.</param>
    /// <param name="executable">The name of the file that starts it.</param>
    /// <param name="assembly">The name of its assembly, without an extension.</param>
    /// <param name="module">The id of CoreLib's module.</param>
    /// <remarks>The host looks for everything beside that assembly, and follows links before it looks.</remarks>
    /// <exception cref="GraftException">This framework cannot be grafted.</exception>
    public PrivateCopy OfApplication(string folder, string executable, string assembly, Guid module) => GetOrBuild(
        $"app-{assembly}",
        module,
        folder,
        [folder],
        copy => copy,
        [executable, $"{assembly}.dll", $"{assembly}.deps.json", $"{assembly}.runtimeconfig.json", .. s_hosts]);

    private static string? InstallationOf(string frameworkFolder)
    {
        string? shared = Path.GetDirectoryName(Path.GetDirectoryName(frameworkFolder));
        return Path.GetFileName(shared) == "shared" ? Path.GetDirectoryName(shared) : null;
    }

    private PrivateCopy GetOrBuild(
        string version, Guid module, string frameworkFolder, string[] linked, Func<string, string> arrange, params string[] own)
    {
        string coreLib = Path.Combine(frameworkFolder, CoreLib);
        if (!File.Exists(coreLib) || !s_runtimes.Any(name => File.Exists(Path.Combine(frameworkFolder, name))))
        {
            throw new GraftException($"{frameworkFolder} has no CoreCLR");
        }

        string path = Path.Combine(_folder, FormattableString.Invariant($"{version}-{module:N}-{HashOf(linked, own):x16}"));
        return Find(path) ?? Build(path, version, frameworkFolder, arrange, own);
    }

    /// <summary>A copy to use from now on; null if there is none, also because somebody removes it.</summary>
    private static PrivateCopy? Find(string path)
    {
        for (int attempt = 0; Directory.Exists(path); attempt++)
        {
            try
            {
                PrivateCopy copy = PrivateCopy.Read(path);
                copy.NoteUse();
                if (copy.IsWhole)
                {
                    return copy;
                }

                if (!UnusedCopies.TryRemove(path))
                {
                    throw new GraftException($"{path} lacks files, and a process uses it: end that, and remove the folder");
                }
            }
            catch (IOException) when (attempt < MostAttempts)
            {
                // Somebody removes it, or has begun to by hand.
                if (attempt == MostAttempts / 2 && !PrivateCopy.Exists(path))
                {
                    UnusedCopies.RemoveRest(path);
                }

                Thread.Sleep(10);
            }
        }

        return null;
    }

    private PrivateCopy Build(
        string path, string version, string frameworkFolder, Func<string, string> arrange, string[] own)
    {
        string unfinished = UnusedCopies.NameUnfinished(_folder);
        HostSystem.CreatePrivateFolder(unfinished); // what lies here is run
        try
        {
            string folder = arrange(unfinished);
            string[] copied = [.. s_runtimes, .. own];
            MirroredFolder.Create(frameworkFolder, folder, [CoreLib, .. copied]);
            foreach (string name in copied.Where(name => File.Exists(Path.Combine(frameworkFolder, name))))
            {
                File.Copy(Path.Combine(frameworkFolder, name), Path.Combine(folder, name));
            }

            Graft graft = CoreLibGraft.Apply(File.ReadAllBytes(Path.Combine(frameworkFolder, CoreLib)));
            File.WriteAllBytes(Path.Combine(folder, CoreLib), graft.Image);
            string[] real = [.. Files(unfinished)];
            new PrivateCopy(
                unfinished, frameworkFolder, version, graft.Hidden, graft.Instances, graft.Obstacle, graft.IsComposite, real).Write();
            Directory.Move(unfinished, path);
        }
        catch (IOException) when (Directory.Exists(path))
        {
            // Another process was first.
        }
        finally
        {
            UnusedCopies.RemoveUnfinished(_folder, unfinished);
        }

        return PrivateCopy.Read(path);
    }

    /// <summary>What is no link, relative to the folder.</summary>
    private static IEnumerable<string> Files(string folder) =>
        from file in new DirectoryInfo(folder).EnumerateFiles("*", new EnumerationOptions
        {
            RecurseSubdirectories = true,
            AttributesToSkip = FileAttributes.ReparsePoint,
        })
        select Path.GetRelativePath(folder, file.FullName);

    /// <summary>Of the names in the folders that are linked, and of the ages of the files that are copied, which do not follow.</summary>
    private static ulong HashOf(string[] folders, string[] copied)
    {
        // FNV-1a in plain loops: each checked process computes it before anything is compiled well.
        ulong hash = 14_695_981_039_346_656_037;
        void Add(string text)
        {
            foreach (char one in text)
            {
                hash = unchecked((hash ^ one) * 1_099_511_628_211);
            }

            hash = unchecked(hash * 1_099_511_628_211);
        }

        foreach (string folder in folders)
        {
            string[] names = Directory.GetFileSystemEntries(folder);
            Array.Sort(names, StringComparer.Ordinal);
            Array.ForEach(names, Add);
        }

        foreach (string name in copied)
        {
            var file = new FileInfo(Path.Combine(folders[0], name));
            Add(file.Exists ? FormattableString.Invariant($"{file.Length} {file.LastWriteTimeUtc.Ticks}") : "");
        }

        return hash;
    }
}
