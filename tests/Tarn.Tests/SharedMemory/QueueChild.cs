using Tarn.Tests.Support;

namespace Tarn.Tests.SharedMemory;

/// <summary>A process that is a member of a queue, and executes commands.</summary>
internal sealed class QueueChild() : CommandedChild(["queue"], limits: null)
{
    /// <summary>Waits until it is there, and opens a queue.</summary>
    internal static QueueChild With(string queue)
    {
        QueueChild child = new();
        child.Open(queue);
        return child;
    }

    internal void Open(string queue)
    {
        Assert.Equal("ready", Answer());
        Assert.Equal("done", Ask($"open {queue}"));
    }

    internal void Stop() => Signal(Id, OperatingSystem.IsMacOS() ? 17 : 19);

    internal void Continue() => Signal(Id, OperatingSystem.IsMacOS() ? 19 : 18);
}
