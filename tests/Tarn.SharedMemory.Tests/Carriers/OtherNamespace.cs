
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// Starts processes as a container runtime does: each with process ids of its own, which begin at 1, and with the same shared memory.
/// </summary>
internal static class OtherNamespace
{
    /// <summary>Killing the process that this starts kills the one in the namespace.</summary>
    internal const string Limits = Tarn.Torture.Children.IdNamespace.Limits;

    private const string None = "Windows has no namespaces of process ids.";

    /// <summary>A process with regions; skips the test where it may have no ids of its own.</summary>
    internal static RegionChild StartRegions(RegionDirectory directory)
    {
        Skip.If(OperatingSystem.IsWindows(), None);
        RegionChild child = RegionChild.Start(directory, Limits);
        if (child.TryAsk("pid") != "1")
        {
            child.Dispose();
            Skip.If(true, "The process may not have ids of its own.");
        }

        return child;
    }

    /// <summary>A process with a side of a ring; skips the test where it may have no ids of its own.</summary>
    internal static RingChild StartRing()
    {
        Skip.If(OperatingSystem.IsWindows(), None);
        RingChild child = new(Limits);
        if (child.ReadLine() != "ready" || child.Ask("pid") != "1")
        {
            child.Dispose();
            Skip.If(true, "The process may not have ids of its own.");
        }

        return child;
    }

    /// <summary>Kills a process; the one in its namespace is gone when this returns.</summary>
    internal static void Kill(CommandedChild child)
    {
        child.Kill();

        // The outputs are pipes: their end comes when the process in the namespace has ended.
        Eventually.True(() => child.ReadLine() is null, "the process in the namespace has ended");
    }
}
