namespace Tarn.Tool.Analysis;

/// <summary>A call site that returned buffers which had been returned before.</summary>
/// <param name="Site">The second return.</param>
/// <param name="First">The return before it.</param>
/// <param name="Certainty">How far it can be trusted.</param>
/// <param name="Times">How often it happened.</param>
/// <param name="Bytes">The size of the buffers.</param>
internal sealed record ReturnedTwiceSite(CallSite Site, CallSite First, Certainty Certainty, int Times, long Bytes)
{
    /// <summary>The tests that returned them again.</summary>
    public IReadOnlyList<TestCount> Tests { get; init; } = [];
}
