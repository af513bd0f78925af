using System.Runtime.InteropServices;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Allocations;

/// <summary>Writes the samples of a recording in pprof's format.</summary>
internal static class AllocationPprof
{
    /// <summary>The values of each sample, with their units.</summary>
    public static readonly (string Type, string Unit)[] Values = [("alloc_objects", "count"), ("alloc_space", "bytes")];

    /// <summary>Writes the profile. The destination stays open.</summary>
    public static void Write(AllocationRecording recording, Stream destination)
    {
        Dictionary<(int Stack, int Type, long Bytes), double> objects = [];
        foreach (AllocationSample sample in recording.Samples)
        {
            CollectionsMarshal.GetValueRefOrAddDefault(objects, (sample.Stack, sample.Type, sample.Bytes), out _) += sample.Objects;
        }

        var profile = new PprofProfile(Values);
        foreach (((int stack, int type, long bytes), double count) in objects)
        {
            profile.Add(
                recording.Stacks.Walk(stack).Select(Frame),
                [("type", MethodNames.ShortType(recording.Types[type]))],
                bytes,
                (long)Math.Round(count), (long)Math.Round(count * bytes));
        }

        profile.Write(
            destination, recording.Facts.Command, recording.At.UtcDateTime, recording.Duration, AllocationRecording.Interval, "alloc_space",
            recording.IsRandom ? null : $"{recording.Facts.Runtime} does not sample evenly: sizes are rough.");
    }

    private static (string Method, string File, int Line) Frame(StackFrame frame) =>
        (CallSite.Text(frame with { Line = 0 }), frame.File, frame.Line);
}
