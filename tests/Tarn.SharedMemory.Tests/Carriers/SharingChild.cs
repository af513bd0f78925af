
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A process that has something shared open, and executes commands.</summary>
/// <param name="scenario">The child's scenario, which says what that is.</param>
/// <param name="limits">As for <see cref="ChildProcess"/>.</param>
internal abstract class SharingChild(string scenario, string? limits) : CommandedChild([scenario], limits)
{
    /// <summary>Waits until it is there, and opens something of a name.</summary>
    internal void Open(string name)
    {
        Assert.Equal("ready", Answer());
        Assert.Equal("done", Ask($"open {name}"));
    }

    /// <summary>Whether the system can stop and continue a process.</summary>
    internal static bool CanStop => !OperatingSystem.IsWindows();

    internal void Stop() => Signal(Id, OperatingSystem.IsMacOS() ? 17 : 19);

    internal void Continue() => Signal(Id, OperatingSystem.IsMacOS() ? 19 : 18);
}
