namespace Tarn.Tool.Analysis;

/// <summary>How long a call site holds its buffers, and which it holds at the end of the recording.</summary>
internal sealed record HeldSite
{
    public required CallSite Site { get; init; }

    public required int Rented { get; init; }

    public required int Returned { get; init; }

    /// <summary>The buffers that are out at the end and do not count as lost.</summary>
    public required int HeldAtEnd { get; init; }

    public required long HeldBytes { get; init; }

    /// <summary>The longest time that a buffer was out, whether it came back or is held at the end.</summary>
    public required long LongestMicroseconds { get; init; }

    /// <summary>The mean time of the buffers that came back; 0 if none did.</summary>
    public required long MeanMicroseconds { get; init; }
}
