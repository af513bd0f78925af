using Tarn.Traces;

namespace Tarn.Tool.Allocations;

/// <summary>Tells that a process was sampled only for a part of the time.</summary>
internal static class WindowWords
{
    /// <summary>Tells it of a recording; null if the process was sampled all the time.</summary>
    public static string? Of(AllocationRecording recording) => recording.Sampled >= recording.Duration
        ? null
        : $"The process allocates so much that it was sampled only {recording.Sampled / recording.Duration:P0} of the time "
            + $"({recording.Windows} × {(recording.Sampled / recording.Windows).TotalSeconds:0.0} s), which takes at most a fiftieth of "
            + "its time. The rest of the time is taken to be alike: the errors do not know of it.";
}
