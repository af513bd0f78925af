using System.Diagnostics;
using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Allocations;

/// <summary>A program that keeps known bytes at known places, which a recording that follows objects must find in use.</summary>
public class KeptObjectsTests
{
    /// <summary>How many standard deviations an estimate may be off: five in a million are farther.</summary>
    private const double Deviations = 4.5;

    /// <summary>The places that keep every object they make, so that none of their samples may be found dead.</summary>
    private static readonly string[] s_keepAll = ["KeepSmall", "KeepLarge", "KeepLast"];

    /// <summary>Recordings end when the program is done, however long that takes.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromHours(1);

    [SkippableTheory]
    [InlineData("workstation")]
    [InlineData("server", "DOTNET_gcServer=1", "DOTNET_GCHeapCount=2")]
    [InlineData("always compacting", "DOTNET_GCConserveMemory=9", "DOTNET_gcConcurrent=0")]
    [InlineData("segments", "DOTNET_GCName=libclrgc.so")]
    public async Task What_is_in_use_is_within_the_sampling_error_of_what_is_kept(string kind, params string[] settings)
    {
        Skip.If(kind == "segments" && !OperatingSystem.IsLinux(), "the library has another name");
        Skip.IfNot(StressLength.IsLong, "each collector takes a process; the long form has each");
        (AllocationRecording recording, Dictionary<string, long> kept) = await RecordAsync(settings, AllocationDetail.InUseAfterCollection);

        Assert.True(recording.HasCollected);
        Assert.Equal(0, recording.LostEvents);
        foreach ((string place, long bytes) in kept)
        {
            (double inUse, double deviation, int unexamined, double most) = InUse(recording, place);
            Assert.Equal(0, unexamined);
            if (s_keepAll.Contains(place))
            {
                Assert.All(SamplesOf(recording, place), static one => Assert.Equal(ObjectFate.InUse, one.Fate));
            }

            // One sample more: hardly any large object goes without one, and the deviation does not say how far off the estimate then is.
            Assert.True(
                Math.Abs(inUse - bytes) <= (Deviations * deviation) + most,
                $"{kind}, {place}: keeps {bytes:N0} bytes, and {inUse:N0} ± {deviation:N0} are in use.");
        }
    }

    [SkippableFact]
    public async Task Without_a_last_collection_what_none_has_looked_at_does_not_count()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        (AllocationRecording recording, Dictionary<string, long> kept) = await RecordAsync([], AllocationDetail.InUse);

        (double last, _, int unexamined, _) = InUse(recording, "KeepLast");
        (double small, double deviation, _, _) = InUse(recording, "KeepSmall");
        Assert.False(recording.HasCollected);
        Assert.Equal(0, last);
        Assert.True(unexamined > 0);
        Assert.InRange(small, kept["KeepSmall"] - (Deviations * deviation), kept["KeepSmall"] + (Deviations * deviation));
    }

    private static async Task<(AllocationRecording Recording, Dictionary<string, long> Kept)> RecordAsync(
        string[] settings, AllocationDetail detail)
    {
        ProcessStartInfo start = Child.StartScenario("kept objects");
        foreach (string[] setting in settings.Select(one => one.Split('=')))
        {
            start.Environment[setting[0]] = setting[1];
        }

        using Process child = Process.Start(start)!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            using var done = new CancellationTokenSource();
            Task<AllocationRecording> recording = Task.Run(
                () => AllocationRecorder.Attach(child.Id, s_longest, detail, done.Token));
            Dictionary<string, long> kept = [];
            while (await child.StandardOutput.ReadLineAsync() is { } line && line != "done")
            {
                string[] fields = line.Split(' ');
                kept.Add(fields[0], long.Parse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture));
            }

            await done.CancelAsync();
            return (await recording, kept);
        }
        finally
        {
            child.Kill();
        }
    }

    /// <summary>
    /// The bytes in use at a place, their standard deviation, the samples that no collection has looked at, and the most bytes that a
    /// sample stands for.
    /// </summary>
    private static (double Bytes, double Deviation, int Unexamined, double Most) InUse(AllocationRecording recording, string place)
    {
        (AllocationSample Sample, ObjectFate Fate)[] all = SamplesOf(recording, place);
        Assert.NotEmpty(all);
        (AllocationSample Sample, ObjectFate Fate)[] inUse = [.. all.Where(one => one.Fate == ObjectFate.InUse)];
        return (
            inUse.Sum(one => one.Sample.TotalBytes),
            Math.Sqrt(inUse.Sum(one => one.Sample.Variance)),
            all.Count(one => one.Fate == ObjectFate.Unexamined),
            all.Max(one => one.Sample.TotalBytes));
    }

    private static (AllocationSample Sample, ObjectFate Fate)[] SamplesOf(AllocationRecording recording, string place) =>
    [
        .. recording.Samples.Zip(recording.Fates!)
            .Where(one => recording.Types[one.First.Type] == "System.Byte[]")
            .Where(one => recording.Stacks.Walk(one.First.Stack)
                .Any(frame => frame.Method.EndsWith($".{place}", StringComparison.Ordinal))),
    ];
}
