using System.Runtime.InteropServices;
using Tarn.Sanitizing.Grafting;
using Tarn.Sanitizing.Launching;
using Tarn.Sanitizing.Platform;

namespace Tarn.Tool.Sanitizing;

/// <summary>The installations of .NET that a program may run on, and their private copies.</summary>
internal static class DotnetInstallations
{
    private const string Framework = "Microsoft.NETCore.App";
    private const int OldestMajor = 8;

    /// <summary>The folders of all versions of the shared framework, newest installations of PATH and environment first.</summary>
    public static IReadOnlyList<string> FindFrameworks() =>
    [
        .. from installation in FindRoots()
           let shared = Path.Combine(installation, "shared", Framework)
           where Directory.Exists(shared)
           from framework in Directory.GetDirectories(shared).Order(StringComparer.Ordinal)
           select framework,
    ];

    /// <summary>Whether the sanitizer knows this version at all.</summary>
    public static bool IsKnown(string framework) =>
        int.TryParse(Path.GetFileName(framework).Split('.')[0], out int major) && major >= OldestMajor;

    /// <summary>Makes or finds the private copy.</summary>
    /// <exception cref="GraftException">This framework cannot be grafted.</exception>
    public static PrivateCopy Prepare(string framework, PrivateCopies copies) => IsKnown(framework)
        ? copies.OfInstallation(framework, CoreLibGraft.ReadModule(Path.Combine(framework, "System.Private.CoreLib.dll")))
        : throw new GraftException($"programs on .NET {OldestMajor} and later can be checked, not those on {Path.GetFileName(framework)}");

    private static IEnumerable<string> FindRoots()
    {
        string architecture = RuntimeInformation.OSArchitecture.ToString().ToUpperInvariant();
        string?[] places =
        [
            Environment.GetEnvironmentVariable($"DOTNET_ROOT_{architecture}"),
            Environment.GetEnvironmentVariable("DOTNET_ROOT"),
            .. FindOnPath(),
            ReadInstallLocation($"/etc/dotnet/install_location_{architecture.ToLowerInvariant()}"),
            ReadInstallLocation("/etc/dotnet/install_location"),
            HostSystem.DefaultInstallation,

            // The one that runs this.
            Path.GetDirectoryName(Path.GetDirectoryName(Path.GetDirectoryName(
                Path.TrimEndingDirectorySeparator(RuntimeEnvironment.GetRuntimeDirectory())))),
        ];
        return places
            .Where(place => place is { Length: > 0 } && File.Exists(Path.Combine(place, HostSystem.Muxer)))
            .Select(place => Path.TrimEndingDirectorySeparator(Path.GetFullPath(place!)))
            .Distinct();
    }

    /// <summary>Where links on PATH lead to: installations often have a link in <c>/usr/bin</c>.</summary>
    private static IEnumerable<string?> FindOnPath() =>
        from folder in (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        let muxer = new FileInfo(Path.Combine(folder, HostSystem.Muxer))
        where muxer.Exists
        select Path.GetDirectoryName((muxer.ResolveLinkTarget(returnFinalTarget: true) ?? muxer).FullName);

    private static string? ReadInstallLocation(string file) => File.Exists(file) ? File.ReadLines(file).FirstOrDefault()?.Trim() : null;
}
