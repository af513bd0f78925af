namespace Tarn.SharedMemory;

/// <summary>The seats of a region's file (<see cref="FileSeats"/>).</summary>
internal static class RegionSeat
{
    /// <summary>The process that created the region, while it has the region or the name is its to remove.</summary>
    internal const int Creator = 0;

    /// <summary>The writer of a ring, a value or a topic.</summary>
    internal const int Writer = 1;

    /// <summary>The reader of a ring.</summary>
    internal const int Reader = 2;

    /// <summary>The first member of a queue or a topic; the others follow.</summary>
    internal const int Member = 3;
}
