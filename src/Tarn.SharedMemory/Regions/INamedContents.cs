namespace Tarn.SharedMemory;

/// <summary>What lies in a region of its kind, and is created and opened by the region's name.</summary>
internal interface INamedContents<TSelf>
    where TSelf : class, INamedContents<TSelf>
{
    static abstract RegionKind Kind { get; }

    /// <summary>Makes it of a region of its kind, which belongs to it if this does not throw.</summary>
    static abstract TSelf Over(SharedRegion region);
}
