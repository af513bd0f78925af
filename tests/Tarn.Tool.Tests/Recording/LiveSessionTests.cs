using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Tests.Support;
using Tarn.Tool.Asking;
using Tarn.Tool.Watching;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>Sessions that end early, and with processes that do not answer.</summary>
public class LiveSessionTests
{
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task A_session_ends_only_when_that_cannot_hang_the_process()
    {
        using Process child = Process.Start(Child.Start("60", "2000", "lose"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            for (int turn = 0; turn < 3; turn++)
            {
                LiveSession session = LiveSession.Start(child.Id, new PoolActivity(), withRents: turn == 1);
                session.Dispose();

                Assert.True(session.IsSafeToEnd);
                await AssertAnswersAsync(child);
            }
        }
        finally
        {
            child.Kill();
        }
    }

    [SkippableFact]
    public async Task A_suspended_process_is_abandoned_and_goes_on_later()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        Skip.If(OperatingSystem.IsWindows(), "processes are suspended by a signal");
        using Process child = Process.Start(Child.Start("60", "2000"))!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            EventPipeProvider[] providers = [.. PoolEventReader.Providers(EventLevel.Informational)];
            ProcessSession session = ProcessSession.Start(child.Id, providers, bufferMegabytes: 16, _ => { });
            await SignalAsync(child, "STOP");

            await Task.Run(session.Dispose).WaitAsync(s_longest);
            await SignalAsync(child, "CONT");

            await AssertAnswersAsync(child);
        }
        finally
        {
            child.Kill();
        }
    }

    private static async Task AssertAnswersAsync(Process child)
    {
        ProcessFacts facts = await Task.Run(() => ProcessFacts.Ask(child.Id)).WaitAsync(s_longest);
        Assert.Contains("planted faults", facts.Command, StringComparison.Ordinal);
    }

    private static async Task SignalAsync(Process process, string name)
    {
        using Process kill = Process.Start("kill", [$"-{name}", process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        Assert.Equal(0, kill.ExitCode);
    }
}
