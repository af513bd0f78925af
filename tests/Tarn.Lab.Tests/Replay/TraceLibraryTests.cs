using Tarn.Lab.Experiments.Loads;
using Tarn.Lab.Recording;
using Tarn.Lab.Replay;
using Tarn.Traces;

namespace Tarn.Lab.Tests.Replay;

/// <summary>The traces that come with the lab.</summary>
public class TraceLibraryTests
{
    private const long MostBytes = 1 << 20;

    [Fact]
    public void There_is_a_trace_of_each_scenario_and_of_a_build()
    {
        Assert.Empty(ScenarioProcess.Names.Concat(["build", "compiler"]).Except(TraceLibrary.Names));
        Assert.Distinct(TracesExperiment.Names);
    }

    [Fact]
    public void Every_trace_is_small_faithful_and_nearly_all_matched()
    {
        Assert.All(TraceLibrary.Names, name =>
        {
            BufferTrace trace = TraceLibrary.Read(name);
            Assert.InRange(new FileInfo(Path.Combine(AppContext.BaseDirectory, "traces", name + ".trace")).Length, 1, MostBytes);
            Assert.Equal(0, trace.Origin.LostEvents);
            Assert.InRange(trace.Returned / (double)trace.Rented, 0.98, 1);
            Assert.InRange(trace.Origin.UnmatchedReturns / (double)trace.Returned, 0, 0.01);
            Assert.InRange(new ReplayProgram(trace, 1).Threads, 1, ReplayProgram.MostThreads);
        });
    }
}
