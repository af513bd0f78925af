using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Watched;
using Tarn.Traces;

namespace Tarn.Lab.Experiments.Watched;

/// <summary>
/// What the tool's recording of allocations costs a program that does little but allocate: it samples in windows, as much as it may take.
/// </summary>
internal static class PacedAllocations
{
    private const string Id = "allocations-paced";

    /// <summary>What the project accepts for a program that is sampled.</summary>
    internal const double Bound = 1.02;

    private static readonly string[] s_modes = ["not sampled", "tarn candidates, tarn profile"];

    /// <summary>Measures by turns, each as long as a recording.</summary>
    /// <param name="time">How long the tool samples.</param>
    /// <param name="context">The run.</param>
    internal static RoundSamples Measure(TimeSpan time, ExperimentContext context)
    {
        int rounds = context.IsFull ? 4 : 2;
        double[][] processor = [new double[rounds], new double[rounds]];
        using var program = new SampledDocuments(SampledDocuments.Few);
        int done = 0;
        foreach ((int round, int mode) in Turns.Take(s_modes.Length, rounds, context.CreateRandom()))
        {
            Task<AllocationRecording>? recording = mode == 0 ? null : Task.Factory.StartNew(
                () => AllocationRecorder.Attach(program.ProcessId, time, AllocationDetail.Allocations, CancellationToken.None),
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default);
            SampledUse begin = program.Used();
            double units = program.Work(time);
            _ = recording?.GetAwaiter().GetResult();
            processor[mode][round] = program.Used().Since(begin).Processor / units;
            context.Report((double)++done / (s_modes.Length * rounds));
        }

        return new RoundSamples(s_modes, processor);
    }

    internal static Figure ToFigure(RoundSamples found) => new()
    {
        Id = Id,
        Title = "Documents: processor time while the tool samples for 30 s, ÷ not sampled",
        Value = found.Ratio(1, 0).Median,
        Unit = "",
        Bound = Bound,
    };

    internal static Table ToTable(RoundSamples found) => new()
    {
        Id = $"{Id}-times",
        Title = "Processor time of a document during a whole recording of 30 s, which samples in windows",
        Columns =
        [
            new Column("Sampled by", ColumnKind.Text), new Column("A document", ColumnKind.Nanoseconds),
            new Column("÷ not sampled", ColumnKind.Number),
        ],
        Rows =
        [
            .. s_modes.Select((mode, index) => (IReadOnlyList<object?>)[mode, found.Median(index), found.Ratio(index, 0).Median]),
        ],
    };
}
