namespace Tarn.Traces;

/// <summary>How much a recording of allocations asks of a process.</summary>
internal enum AllocationDetail
{
    /// <summary>The samples of what it allocates.</summary>
    Allocations,

    /// <summary>Also what survives each collection, so that the samples are followed to their ends.</summary>
    InUse,

    /// <summary>Also a last collection of all garbage, which looks at every object. The process stands still for it.</summary>
    InUseAfterCollection,
}
