using Tarn.Lab.Experiments.Servers;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Watched;
using Tarn.Traces;

namespace Tarn.Lab.Experiments.Watched;

/// <summary>What it costs a program that the tool samples its allocations, in processor time.</summary>
internal sealed class AllocationsExperiment : IExperiment
{
    private const string Alone = "alone";
    private const string Sampled = "sampled";

    /// <summary>As long as the tool samples by default.</summary>
    private static readonly TimeSpan s_recording = TimeSpan.FromSeconds(30);

    /// <summary>The time of all turns of a program in one mode.</summary>
    private static readonly TimeSpan s_quickTime = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan s_fullTime = TimeSpan.FromSeconds(60);

    private static readonly (string Id, string Title, bool? IsFollowed)[] s_modes =
    [
        (Alone, "not sampled", null),
        (Sampled, "all the time", false),
        ("followed", "tarn profile --in-use", true),
    ];

    public string Id => "allocations";

    public string Title => "What sampling allocations costs";

    public double QuickSeconds => 290;

    public double FullSeconds => 1_040;

    public ExperimentResult Run(ExperimentContext context)
    {
        Func<ISampledProgram>[] programs =
        [
            .. LoadGenerator.Serves(ServerProtocol.Http1) ? (Func<ISampledProgram>[])[() => new SampledServer()] : [],
            () => new SampledDocuments(SampledDocuments.Few),
            () => new SampledDocuments(1_000),
        ];
        List<SampledRounds> found = [];
        foreach ((int index, Func<ISampledProgram> start) in programs.Index())
        {
            using ISampledProgram program = start();
            found.Add(Measure(program, context.Part(index + 1, programs.Length + 1)));
        }

        RoundSamples paced = PacedAllocations.Measure(s_recording, context.Part(programs.Length + 1, programs.Length + 1));
        return new ExperimentResult(Describe(found, paced))
        {
            Figures =
            [
                .. from one in found
                   from mode in s_modes.Index().Skip(1)
                   select new Figure
                   {
                       Id = $"{Id}-{mode.Item.Id}-{one.Id}",
                       Title = $"{one.Title}: processor time in {s_recording.TotalSeconds:0} s of {mode.Item.Title}, ÷ not sampled",
                       Value = Whole(one, mode.Index),
                       Unit = "",
                   },
                PacedAllocations.ToFigure(paced),
                .. found.Where(one => one.Id == SampledDocuments.AllocationHeavy).Select(one => new Figure
                {
                    Id = $"{Id}-sample",
                    Title = "Processor time of one sample",
                    Value = Math.Max(0, one.Work.Ratio(1, 0).Median - 1) * one.Work.Median(0) / SamplesEach(one),
                    Unit = "ns",
                }),
            ],
        };
    }

    /// <summary>The work in the mode ÷ alone, and what begin and end of a recording take of a processor's time during it.</summary>
    private static double Whole(SampledRounds rounds, int mode) =>
        rounds.Work.Ratio(mode, 0).Median + (rounds.Session.Median(mode) / s_recording.TotalNanoseconds);

    private static double SamplesEach(SampledRounds rounds) => rounds.Allocated.Median(1) / AllocationRecording.Interval;

    private static SampledRounds Measure(ISampledProgram program, ExperimentContext context)
    {
        int rounds = (int)((context.IsFull ? s_fullTime : s_quickTime) / program.Turn);
        string[] names = [.. s_modes.Select(mode => mode.Title)];
        double[][] work = Create(rounds);
        double[][] session = Create(rounds);
        double[][] pauses = Create(rounds);
        double[][] allocated = Create(rounds);
        _ = program.Work(s_quickTime / 10);
        int done = 0;
        foreach ((int round, int mode) in Turns.Take(s_modes.Length, rounds, context.CreateRandom()))
        {
            (SampledUse each, session[mode][round]) = Turn(program, s_modes[mode].IsFollowed);
            (work[mode][round], pauses[mode][round], allocated[mode][round]) = (each.Processor, each.Pauses, each.Allocated);
            context.Report((double)++done / (s_modes.Length * rounds));
        }

        return new SampledRounds(
            program.Id, program.Title, new(names, work), new(names, session), new(names, pauses), new(names, allocated));
    }

    /// <summary>What a unit of work used, and the processor time of the session's begin and end.</summary>
    private static (SampledUse Each, double Session) Turn(ISampledProgram program, bool? isFollowed)
    {
        SampledUse begin = program.Used();
        AllocationSession? session = isFollowed is { } follows ? AllocationSession.Start(program.ProcessId, follows) : null;
        SampledUse before = program.Used();
        double units = program.Work(program.Turn);
        SampledUse after = program.Used();
        session?.Dispose();
        double around = before.Since(begin).Processor + program.Used().Since(after).Processor;
        SampledUse used = after.Since(before);
        return (new SampledUse(used.Processor / units, used.Pauses / units, used.Allocated / units), around);
    }

    private static double[][] Create(int rounds) => [.. s_modes.Select(_ => new double[rounds])];

    private Section Describe(IReadOnlyList<SampledRounds> found, RoundSamples paced) => new()
    {
        Id = Id,
        Title = Title,
        Text = "A program works in a process of its own while its allocations are sampled, or sampled and followed through collections, "
            + "or not: by turns, in random order. The processor time is that of the program's process, for a request or a document. The "
            + "begin and the end of a session, when the process lists its methods, take the same time however long it is, so they stand "
            + $"apart. The whole is for {s_recording.TotalSeconds:0} s, as long as the tool samples by default, of a program that keeps "
            + "one processor busy. What the tool does with the events happens in another process. The second table is of the tool's own "
            + "recording, which leaves pauses where a program allocates much.",
        Tables =
        [
            new Table
            {
                Id = $"{Id}-times",
                Title = "Processor time, medians",
                Columns =
                [
                    new Column("Program", ColumnKind.Text), new Column("Sampled by", ColumnKind.Text),
                    new Column("A unit of work", ColumnKind.Nanoseconds), new Column("÷ not sampled", ColumnKind.Number),
                    new Column("Its allocations", ColumnKind.Bytes), new Column("Its pauses", ColumnKind.Nanoseconds),
                    new Column("Begin and end", ColumnKind.Nanoseconds),
                    new Column("Whole ÷ not sampled", ColumnKind.Number),
                ],
                Rows =
                [
                    .. from one in found
                       from mode in s_modes.Index()
                       select (IReadOnlyList<object?>)
                       [
                           one.Title, mode.Item.Title, one.Work.Median(mode.Index), one.Work.Ratio(mode.Index, 0).Median,
                           one.Allocated.Median(mode.Index), IfKnown(one.Pauses.Median(mode.Index)),
                           mode.Index == 0 ? null : one.Session.Median(mode.Index), Whole(one, mode.Index),
                       ],
                ],
            },
            PacedAllocations.ToTable(paced),
        ],
    };

    private static double? IfKnown(double value) => double.IsNaN(value) ? null : value;

    /// <summary>What was found of one program, by mode and round, all but the sessions of a unit of work.</summary>
    private sealed record SampledRounds(
        string Id, string Title, RoundSamples Work, RoundSamples Session, RoundSamples Pauses, RoundSamples Allocated);
}
