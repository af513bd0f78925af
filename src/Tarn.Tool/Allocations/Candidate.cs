namespace Tarn.Tool.Allocations;

/// <summary>A place that allocates arrays which a pool could spare. Bytes and objects are estimates, with their errors.</summary>
/// <param name="Site">The place.</param>
/// <param name="Type">The type of the array, as C# has it.</param>
/// <param name="Means">Why it is allocated.</param>
/// <param name="Objects">How many arrays were allocated.</param>
/// <param name="Bytes">Their bytes.</param>
/// <param name="ErrorBytes">The error of the bytes: they are within it in 95 of 100 recordings. Null where it is not known.</param>
/// <param name="LargeBytes">Those of the bytes that are in large objects.</param>
/// <param name="SmallestBytes">The size of the smallest sampled one.</param>
/// <param name="LargestBytes">The size of the largest sampled one.</param>
/// <param name="BytesPerSecond">The bytes of a second.</param>
/// <param name="Share">The share of all bytes that the process allocated.</param>
/// <param name="CollectionsAvoided">How many of the recorded collections a pool would have avoided, about.</param>
/// <param name="Samples">How many samples it has.</param>
/// <param name="IsWorthIt">Whether a pool is worth it.</param>
/// <param name="Action">What to do.</param>
/// <param name="Rule">The rule that finds it and whose fix rewrites it; empty if there is none.</param>
internal sealed record Candidate(
    string Site,
    string Type,
    AllocationMeans Means,
    double Objects,
    double Bytes,
    double? ErrorBytes,
    double LargeBytes,
    long SmallestBytes,
    long LargestBytes,
    double BytesPerSecond,
    double Share,
    double CollectionsAvoided,
    int Samples,
    bool IsWorthIt,
    string Action,
    string Rule)
{
    /// <summary>The frames of the stack with most bytes, the innermost first.</summary>
    public required IReadOnlyList<Traces.StackFrame> Frames { get; init; }
}
