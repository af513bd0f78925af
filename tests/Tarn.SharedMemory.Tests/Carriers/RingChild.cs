namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>A process that has one side of a ring, and executes commands.</summary>
internal sealed class RingChild(string? limits = null) : SharingChild("ring", limits)
{
    /// <summary>Waits until it is there, and opens a ring.</summary>
    internal static RingChild With(string ring)
    {
        RingChild child = new();
        child.Open(ring);
        return child;
    }
}
