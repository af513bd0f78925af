namespace Tarn;

/// <summary>Something that keeps idle memory and gives it up with time.</summary>
internal interface ITrimmable
{
    /// <summary>Gives up what has been idle too long; false when nothing is kept, so that no further tick is needed.</summary>
    bool OnTick(TrimOccasion occasion);
}

/// <summary>Why a pool is asked to look for idle memory.</summary>
internal readonly record struct TrimOccasion(TimeSpan Now, bool MemoryIsScarce);
