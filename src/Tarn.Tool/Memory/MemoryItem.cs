namespace Tarn.Tool.Memory;

/// <summary>A part of a group of a process's memory.</summary>
/// <param name="Name">What it is.</param>
/// <param name="Bytes">Its size.</param>
internal sealed record MemoryItem(string Name, long Bytes)
{
    /// <summary>What of it nobody uses and its owner keeps; null where that is not known.</summary>
    public long? FreeBytes { get; init; }

    /// <summary>What it has that is counted, such as "16 threads"; empty if nothing.</summary>
    public string Detail { get; init; } = "";

    /// <summary>Whether its bytes are in other items of the group too, so that a sum leaves it out.</summary>
    public bool IsWithinOthers { get; init; }
}
