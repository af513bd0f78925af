namespace Tarn;

/// <summary>A source that keeps idle memory and gives it up over time.</summary>
internal interface ITrimmable
{
    /// <summary>Gives up memory that has been idle too long. Returns false when nothing is kept, so no further tick is needed.</summary>
    bool OnTick(TrimOccasion occasion);
}

/// <summary>The time and circumstances of a tick.</summary>
internal readonly record struct TrimOccasion(TimeSpan Now, bool MemoryIsScarce);
