namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A process that is a member of a queue, and executes commands.</summary>
internal sealed class QueueChild() : SharingChild("queue", limits: null)
{
    /// <summary>Waits until it is there, and opens a queue.</summary>
    internal static QueueChild With(string queue)
    {
        QueueChild child = new();
        child.Open(queue);
        return child;
    }
}
