using Tarn.Tests.Support;

namespace Tarn.Tests.SharedMemory;

/// <summary>A process that has one side of a ring, and executes commands.</summary>
internal sealed class RingChild(string? limits = null) : CommandedChild(["ring"], limits)
{
    /// <summary>Waits until it is there, and opens a ring.</summary>
    internal static RingChild With(string ring)
    {
        RingChild child = new();
        child.Open(ring);
        return child;
    }

    internal void Open(string ring)
    {
        Assert.Equal("ready", Answer());
        Assert.Equal("done", Ask($"open {ring}"));
    }

    internal void Stop() => Signal(Id, OperatingSystem.IsMacOS() ? 17 : 19);

    internal void Continue() => Signal(Id, OperatingSystem.IsMacOS() ? 19 : 18);
}
