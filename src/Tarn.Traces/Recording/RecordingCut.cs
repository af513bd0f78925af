namespace Tarn.Traces;

/// <summary>What a recording does not have of its process, besides events that the runtime dropped.</summary>
[Flags]
public enum RecordingCut
{
    /// <summary>Nothing: the recording ended with the process.</summary>
    None = 0,

    /// <summary>The recording ended after the longest time, and the process went on.</summary>
    Time = 1,

    /// <summary>The recording has the most events it may have; the process had more.</summary>
    Events = 2,

    /// <summary>The stream of events had the most bytes it may have.</summary>
    Bytes = 4,

    /// <summary>Someone ended the recording before the process.</summary>
    Request = 8,

    /// <summary>The process went on when the program that had started it ended, and the recording with it.</summary>
    Outlived = 16,

    /// <summary>The stream of events broke off, as when the process is killed or crashes: its last events are missing.</summary>
    Broken = 32,
}
