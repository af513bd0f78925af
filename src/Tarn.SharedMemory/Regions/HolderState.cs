namespace Tarn.SharedMemory;

/// <summary>Whether a process that holds something in a region still runs: the region's creator, or a side of a ring.</summary>
internal enum HolderState
{
    /// <summary>It runs.</summary>
    Running,

    /// <summary>It has ended, or let go of the region.</summary>
    Gone,

    /// <summary>This process cannot know.</summary>
    Unknown,
}
