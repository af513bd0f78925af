using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Allocations;

/// <summary>Tells what the bytes in use of a profile leave out.</summary>
internal static class InUseWords
{
    /// <summary>Tells it of a recording whose objects were followed.</summary>
    public static string Of(AllocationRecording recording)
    {
        string since = $"In use is what was allocated since {recording.At.LocalDateTime:HH:mm:ss} and survived its last collection; what "
            + "was there before is unknown.";
        double unexamined = recording.Samples.Index()
            .Where(one => recording.Fates![one.Index] == ObjectFate.Unexamined).Sum(one => one.Item.TotalBytes);
        string open = unexamined > 0
            ? $" {Words.Bytes(unexamined)} came after the last collection that looks at them, and do not count."
            : "";
        return since + open + (recording.HasCollected
            ? " The process collected all its garbage at the end."
            : " What died in generations that were not collected since still counts: --collect has the process collect them first.");
    }

    /// <summary>Tells why the objects of a recording could not be followed, and what to do.</summary>
    public static string WhyNot(AllocationRecording recording) => (recording.LostEvents > 0
        ? $"{Words.Count(recording.LostEvents, "event was", "events were")} lost, so what is in use is not known."
        : "There were more samples than can be followed, so what is in use is not known.")
        + " Sample for a shorter time with --for.";
}
