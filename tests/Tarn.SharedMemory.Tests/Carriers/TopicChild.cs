namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A process that has a topic open, and executes commands.</summary>
internal sealed class TopicChild() : SharingChild("topic", limits: null)
{
    /// <summary>Waits until it is there, and opens a topic.</summary>
    internal static TopicChild With(string topic)
    {
        TopicChild child = new();
        child.Open(topic);
        return child;
    }
}
