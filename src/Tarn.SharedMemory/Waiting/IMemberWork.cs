namespace Tarn.SharedMemory;

/// <summary>What members of a region begin, and leave when their processes end.</summary>
internal interface IMemberWork
{
    /// <summary>Ends what a member left, whose role this process has. It may be done again.</summary>
    void EndAllOf(int member);
}
