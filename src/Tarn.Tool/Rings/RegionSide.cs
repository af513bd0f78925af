namespace Tarn.Tool.Rings;

/// <summary>A process that holds something in a region.</summary>
/// <param name="Role">What it is: creator, writer, reader or member.</param>
/// <param name="State">Whether it runs.</param>
/// <param name="Process">Its id, as it knows it itself; 0 if no process ever had the role.</param>
/// <param name="ProcessName">The name of its program; null if it does not run here.</param>
internal sealed record RegionSide(string Role, SideState State, int Process, string? ProcessName)
{
    /// <summary>Where it stands, if it has a position of its own.</summary>
    public long? Position { get; init; }

    /// <summary>How much it has not read of what was written, if it has a position of its own.</summary>
    public long? Lag { get; init; }
}
