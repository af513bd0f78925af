namespace Tarn.Tool.Rings;

/// <summary>Whether a process that holds something in a region runs.</summary>
internal enum SideState
{
    /// <summary>No process ever had the role.</summary>
    Nobody,

    /// <summary>It runs.</summary>
    Running,

    /// <summary>It gave the role up.</summary>
    Left,

    /// <summary>It ended without giving the role up.</summary>
    Ended,

    /// <summary>This process cannot see whether it runs: it is under another kernel, or in a container without common locks.</summary>
    Unknown,
}
