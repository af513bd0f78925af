using System.Diagnostics;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>A process ends a session only when its events have been read, so nobody may wait for that before reading them.</summary>
public sealed class CancelledRecordingTests
{
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("allocations")]
    [InlineData("rents with stacks")]
    [InlineData("rents")]
    public async Task A_recording_that_was_cancelled_before_it_began_ends(string kind)
    {
        using Process child = Process.Start(Child.Start("60", "2000"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            Task<RecordingCut?> recording = Task.Run(() => Record(child.Id, kind, new CancellationToken(canceled: true)));

            Assert.Equal(kind == "rents" ? null : RecordingCut.Request, await recording.WaitAsync(s_longest));
        }
        finally
        {
            child.Kill();
        }
    }

    private static RecordingCut? Record(int process, string kind, CancellationToken cancelled) => kind == "allocations"
        ? AllocationRecorder.Attach(process, s_longest * 60, AllocationDetail.Allocations, cancelled).Cut
        : TraceRecorder.Attach(
            process,
            new RecordingOptions { Detail = kind == "rents" ? RecordingDetail.Rents : RecordingDetail.Stacks },
            cancelled).Details?.Cut;
}
