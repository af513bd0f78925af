namespace Tarn.Traces;

/// <summary>How much a recording holds.</summary>
public enum RecordingDetail
{
    /// <summary>Rents and returns of <c>ArrayPool</c>: enough for a replay.</summary>
    Rents,

    /// <summary>Also Tarn's pools, and what pools allocate, drop and trim.</summary>
    Pools,

    /// <summary>Also the stack of each event, with source lines where the program's symbols are found.</summary>
    Stacks,
}
