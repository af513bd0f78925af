using System.Reflection;

namespace Tarn.Lab.Peers;

/// <summary>Something that the lab measures beside the library.</summary>
/// <param name="Name">What reports call it.</param>
/// <param name="Contenders">The names of its contenders in comparisons.</param>
/// <param name="Package">The NuGet package that it is in; null for an allocator of the system.</param>
/// <param name="ReadVersion">Returns its version in this process; null where it is missing.</param>
internal sealed record Peer(string Name, IReadOnlyList<string> Contenders, string? Package, Func<string?> ReadVersion)
{
    /// <summary>What stands for the version of a build that tells none.</summary>
    public const string NoVersion = "unversioned";

    /// <summary>Whether its builds tell their versions. Of those that do not, the page of a recorded run names the commit.</summary>
    public bool IsVersioned { get; private init; } = true;

    /// <summary>A peer that has to be built, and whose builds do not tell their version.</summary>
    public static Peer Unversioned(string name, Func<bool> isPresent) =>
        new(name, [name], null, () => isPresent() ? NoVersion : null) { IsVersioned = false };

    /// <summary>A peer in a package.</summary>
    public static Peer Of(string name, Type type, params string[] contenders)
    {
        Assembly assembly = type.Assembly;
        return new Peer(name, contenders, assembly.GetName().Name, () => VersionOf(assembly));
    }

    /// <summary>A peer in a package that this build may lack, with the same name in comparisons.</summary>
    public static Peer Of(string name, string package, Assembly? assembly) =>
        new(name, [name], package, () => assembly is null ? null : VersionOf(assembly));

    /// <summary>The version as its package states it, without the commit.</summary>
    private static string? VersionOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] is { } version
            ? RecordedPeers.Shorten(version)
            : assembly.GetName().Version?.ToString(3);
}
