namespace Tarn.Lab.Workloads.Copies;

/// <summary>What is read of a copy's destination right after the copy.</summary>
internal enum DestinationRead
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Every byte, from the first.</summary>
    All,

    /// <summary>The last <see cref="CopyWayTrial.LastBytes"/>.</summary>
    LastPart,
}
