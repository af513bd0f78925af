using System.Globalization;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A process that works with regions, controlled by commands or running on its own.</summary>
internal sealed class RegionChild : CommandedChild
{
    private RegionChild(string[] arguments, string? limits, (string, string?)[] environment)
        : base(arguments, limits, environment)
    {
    }

    /// <summary>A process that executes commands.</summary>
    /// <param name="directory">Where its regions lie.</param>
    /// <param name="limits">A shell command to run before, as for <see cref="ChildProcess"/>; may replace the shell.</param>
    /// <param name="environment">Variables of its own.</param>
    internal static RegionChild Start(RegionDirectory directory, string? limits = null, params (string, string?)[] environment) =>
        Start(directory.Kind, directory.Path, limits, environment);

    internal static RegionChild Start(string kind, string path, string? limits = null, params (string, string?)[] environment) =>
        new(["regions", kind, path], limits, environment);

    /// <summary>A process that runs a scenario on its own.</summary>
    internal static RegionChild Run(string scenario, RegionDirectory directory, params string[] arguments) =>
        new([scenario, directory.Kind, directory.Path, .. arguments], limits: null, []);

    internal int AskForId() => int.Parse(Ask("pid"), CultureInfo.InvariantCulture);
}
