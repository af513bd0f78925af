namespace Tarn;

/// <summary>What a region's bytes are.</summary>
internal enum RegionKind : uint
{
    /// <summary>The user's own.</summary>
    Plain = 0,

    /// <summary>A <see cref="SharedRing"/>.</summary>
    Ring = 1,
}
