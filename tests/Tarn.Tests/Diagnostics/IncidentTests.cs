using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

public class IncidentTests
{
    [Fact]
    public void An_incident_is_raised_on_a_thread_pool_thread()
    {
        string source = $"thread {Guid.NewGuid()}";
        bool? isPoolThread = null;
        int reporter = 0;
        int handler = 0;
        void Note(object? sender, BufferIncident incident)
        {
            if (incident.SourceName == source)
            {
                Volatile.Write(ref handler, Environment.CurrentManagedThreadId);
                isPoolThread = Thread.CurrentThread.IsThreadPoolThread;
            }
        }

        BufferDiagnostics.IncidentFound += Note;
        try
        {
            Thread reporting = new(() =>
            {
                reporter = Environment.CurrentManagedThreadId;
                BufferDiagnostics.Report(IncidentOf(source));
                Eventually.True(() => Volatile.Read(ref handler) != 0, "the incident is raised while its finder goes on");
            });
            reporting.Start();
            reporting.Join();
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= Note;
        }

        Assert.True(isPoolThread);
        Assert.NotEqual(reporter, handler);
    }

    [Fact]
    public void A_handler_that_throws_hides_nothing()
    {
        string source = $"throwing {Guid.NewGuid()}";
        static void Fail(object? sender, BufferIncident incident) => throw new InvalidOperationException("A handler's own mistake.");
        BufferDiagnostics.IncidentFound += Fail;
        using IncidentLog after = new(source);
        try
        {
            BufferDiagnostics.Report(IncidentOf(source));
            BufferDiagnostics.Report(IncidentOf(source));
            Eventually.True(() => after.Count == 2, "both incidents reach the handler behind the one that throws");
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= Fail;
        }
    }

    [Fact]
    public void Incidents_from_many_threads_all_arrive()
    {
        string source = $"many {Guid.NewGuid()}";
        using IncidentLog log = new(source);
        Parallel.For(0, 1000, i => BufferDiagnostics.Report(IncidentOf(source, size: i)));

        Eventually.True(() => log.Count == 1000, "all incidents arrive");
        Assert.Equal(Enumerable.Range(0, 1000).Select(i => (long)i), log.All.Select(incident => incident.SizeInBytes).Order());
    }

    [Fact]
    public void Incidents_found_just_before_the_process_ends_are_not_lost() =>
        Assert.Equal(Enumerable.Repeat("ForeignReturn", 20), ChildProcess.Run(["incidents"]));

    [Fact]
    public void A_handler_that_was_removed_hears_no_more()
    {
        string source = $"removed {Guid.NewGuid()}";
        IncidentLog removed = new(source);
        using IncidentLog kept = new(source);
        removed.Dispose();
        BufferDiagnostics.Report(IncidentOf(source));

        Assert.Equal(BufferIncidentKind.Overrun, kept.WaitForOne().Kind);
        Assert.Equal(0, removed.Count);
    }

    private static BufferIncident IncidentOf(string source, long size = 1) => new(BufferIncidentKind.Overrun, source, size);
}
