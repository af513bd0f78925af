using System.Runtime.InteropServices;
using Tarn.Diagnostics;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Allocations;

/// <summary>Writes the samples of a recording in pprof's format.</summary>
internal static class AllocationPprof
{
    private static readonly (string, string)[] s_allocated = [("alloc_objects", "count"), ("alloc_space", "bytes")];
    private static readonly (string, string)[] s_inUse = [("inuse_objects", "count"), ("inuse_space", "bytes")];

    /// <summary>The values of each sample, with their units.</summary>
    /// <param name="withInUse">Whether it is known which objects are in use.</param>
    public static (string Type, string Unit)[] Values(bool withInUse) => withInUse ? [.. s_allocated, .. s_inUse] : s_allocated;

    /// <summary>Writes the profile. The destination stays open.</summary>
    public static void Write(AllocationRecording recording, Stream destination)
    {
        Dictionary<(int Stack, int Type, long Bytes), (double Allocated, double InUse)> objects = [];
        foreach ((int index, AllocationSample sample) in recording.Samples.Index())
        {
            ref (double Allocated, double InUse) sum = ref CollectionsMarshal.GetValueRefOrAddDefault(
                objects, (sample.Stack, sample.Type, sample.Bytes), out _);
            bool isInUse = recording.Fates?[index] == ObjectFate.InUse;
            sum = (sum.Allocated + sample.Objects, sum.InUse + (isInUse ? sample.Objects : 0));
        }

        bool withInUse = recording.Fates is not null;
        var profile = new PprofProfile(Values(withInUse));
        foreach (((int stack, int type, long bytes), (double allocated, double inUse)) in objects)
        {
            long[] values = [.. ValuesOf(allocated, bytes), .. withInUse ? ValuesOf(inUse, bytes) : []];
            profile.Add(
                recording.Stacks.Walk(stack).Select(Frame), [("type", MethodNames.ShortType(recording.Types[type]))], bytes, values);
        }

        profile.Write(
            destination, recording.Facts.Command, recording.At.UtcDateTime, recording.Duration, AllocationRecording.Interval,
            withInUse ? "inuse_space" : "alloc_space", Comment(recording));
    }

    private static long[] ValuesOf(double objects, long bytes) => [(long)Math.Round(objects), (long)Math.Round(objects * bytes)];

    private static string? Comment(AllocationRecording recording) => recording switch
    {
        { IsRandom: false } => $"{recording.Facts.Runtime} does not sample evenly: sizes are rough.",
        { Fates: not null } => InUseWords.Of(recording),
        _ => null,
    };

    private static (string Method, string File, int Line) Frame(StackFrame frame) =>
        (CallSite.Text(frame with { Line = 0 }), frame.File, frame.Line);
}
