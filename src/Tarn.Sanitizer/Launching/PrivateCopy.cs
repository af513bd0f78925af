using System.Globalization;

namespace Tarn.Sanitizing.Launching;

/// <summary>A finished copy of a framework's folder tree, or of an application that brings its own, with a grafted CoreLib.</summary>
/// <param name="Folder">What stands in for the root of the installation, or for the application's folder.</param>
/// <param name="Source">The original.</param>
/// <param name="Version">The framework's version.</param>
/// <param name="Hidden">The compiled methods of pools that the runtime compiles anew.</param>
/// <param name="Instances">All compiled instances of generic methods.</param>
/// <param name="Obstacle">Why CoreLib has no compiled code, so that processes start slower; null if it has.</param>
/// <param name="IsComposite">Whether no assembly's compiled code may be used.</param>
internal sealed record PrivateCopy(
    string Folder, string Source, string Version, int Hidden, int Instances, string? Obstacle, bool IsComposite)
{
    private const string FileName = "graft.txt";

    public static PrivateCopy Read(string folder)
    {
        Dictionary<string, string> values = File.ReadAllLines(Path.Combine(folder, FileName))
            .Select(line => line.Split('=', 2))
            .ToDictionary(parts => parts[0], parts => parts[^1], StringComparer.Ordinal);
        return new PrivateCopy(
            folder,
            values["source"],
            values["version"],
            int.Parse(values["hidden"], CultureInfo.InvariantCulture),
            int.Parse(values["instances"], CultureInfo.InvariantCulture),
            values["obstacle"] is { Length: > 0 } obstacle ? obstacle : null,
            bool.Parse(values["composite"]));
    }

    public void Write() => File.WriteAllLines(
        Path.Combine(Folder, FileName),
        [
            $"source={Source}",
            $"version={Version}",
            FormattableString.Invariant($"hidden={Hidden}"),
            FormattableString.Invariant($"instances={Instances}"),
            $"obstacle={Obstacle}",
            $"composite={IsComposite}",
        ]);
}
