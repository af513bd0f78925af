using System.Text.Json;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Reports;

/// <summary>
/// The allocations as a profile for speedscope.app. TraceEvent's own writer knows milliseconds only; this profile is of bytes.
/// </summary>
internal static class SpeedscopeReport
{
    public static string Write(Findings findings)
    {
        StackTable stacks = findings.Details.Stacks;
        (int Stack, long Bytes)[] samples = [.. findings.AllocatedByStack.Select(one => (one.Key, one.Value))];
        var profile = new Dictionary<string, object>
        {
            ["$schema"] = "https://www.speedscope.app/file-format-schema.json",
            ["exporter"] = "tarn",
            ["name"] = $"{findings.Origin.Program}: bytes allocated because pools were empty",
            ["activeProfileIndex"] = 0,
            ["shared"] = new
            {
                frames = stacks.Frames.Select(
                    frame => new { name = CallSite.Text(frame), file = frame.File, line = frame.Line == 0 ? (int?)null : frame.Line }),
            },
            ["profiles"] = new[]
            {
                new
                {
                    type = "sampled",
                    name = "allocated",
                    unit = "bytes",
                    startValue = 0L,
                    endValue = samples.Sum(sample => sample.Bytes),
                    samples = samples.Select(sample => FramesOf(stacks, sample.Stack)),
                    weights = samples.Select(sample => sample.Bytes),
                },
            },
        };
        return JsonSerializer.Serialize(profile);
    }

    /// <summary>The indices of the frames, the outermost first.</summary>
    private static List<int> FramesOf(StackTable stacks, int node)
    {
        List<int> frames = [];
        for (; node != 0; node = stacks.Nodes[node].Caller)
        {
            frames.Add(stacks.Nodes[node].Frame);
        }

        frames.Reverse();
        return frames;
    }
}
