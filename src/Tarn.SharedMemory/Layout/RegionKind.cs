namespace Tarn.SharedMemory;

/// <summary>The kind of a region's contents.</summary>
internal enum RegionKind : uint
{
    /// <summary>The user's own bytes.</summary>
    Plain = 0,

    /// <summary>A <see cref="SharedRing"/>.</summary>
    Ring = 1,

    /// <summary>A <see cref="SharedQueue"/>.</summary>
    Queue = 2,

    /// <summary>A <see cref="SharedValue{T}"/>.</summary>
    Value = 3,

    /// <summary>A <see cref="SharedTopic"/>.</summary>
    Topic = 4,
}
