namespace Tarn;

/// <summary>A source that keeps idle memory and gives it up over time.</summary>
/// <remarks>Callers hold no lock. All members are safe to call from any thread.</remarks>
internal interface ITrimmable
{
    /// <summary>The bytes that it keeps idle, or has room for.</summary>
    long KeptBytes { get; }

    /// <summary>The part of them that becomes garbage when it is given up.</summary>
    long KeptGarbage { get; }

    /// <summary>Gives up memory that has been idle too long. Returns false when nothing is kept, so no further tick is needed.</summary>
    bool OnTick(TrimOccasion occasion);

    /// <summary>
    /// Gives up about <paramref name="bytes"/>, because another source needs room that only the process's budget refuses.
    /// </summary>
    /// <param name="bytes">How much.</param>
    /// <param name="onlyUnneeded">Whether to give up only what no thread needed lately.</param>
    void GiveWay(long bytes, bool onlyUnneeded);

    /// <summary>
    /// Gives up everything that is idle, because there is no memory. Without memory for a step, it goes on with the next.
    /// </summary>
    void GiveUpAll();
}

/// <summary>The time and circumstances of a tick.</summary>
internal readonly record struct TrimOccasion(TimeSpan Now, bool MemoryIsScarce);
