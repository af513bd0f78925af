namespace Tarn.Tool.Analysis;

/// <summary>A call site that returned arrays which the pool had not handed out since the process started.</summary>
internal sealed record UnseenSite(CallSite Site, int Times, long Bytes)
{
    /// <summary>The tests that returned them.</summary>
    public IReadOnlyList<TestCount> Tests { get; init; } = [];
}
