using Tarn.Lab.Contenders;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>Kestrel with other memory pools and settings than those that <c>AddTarn</c> chose.</summary>
internal sealed class DesignsExperiment : IExperiment
{
    private const int Rounds = 3;

    public string Id => "kestrel-designs";

    public string Title => "Other designs of a web server's memory";

    public double QuickSeconds => 130;

    public double FullSeconds => 130;

    public ExperimentResult Run(ExperimentContext context)
    {
        ServerLoad[] loads =
        [
            .. ServerLoad.All.Where(load => load.Work != ServerWork.Get && LoadGenerator.Serves(load.Protocol)),
        ];
        using var generator = new LoadGenerator();
        var rounds = new LoadRounds(generator, Rounds, TimeSpan.FromSeconds(1), context.CreateRandom());
        (ServerDesign Design, ServerProcess Server)[] contenders =
            [.. ServerDesign.All.Select(design => (design, new ServerProcess(design.Arguments)))];
        try
        {
            List<LoadSamples> samples = [];
            foreach (ServerLoad load in loads)
            {
                samples.Add(rounds.Measure(
                    load,
                    [.. contenders.Where(one => one.Design.Concerns(load)).Select(one => (one.Design.Name, one.Server))]));
                context.Report((double)samples.Count / loads.Length);
            }

            return ToResult(samples, LoadGenerator.Missing);
        }
        finally
        {
            Array.ForEach(contenders, contender => contender.Server.Dispose());
        }
    }

    internal ExperimentResult ToResult(IReadOnlyList<LoadSamples> measured, IReadOnlyList<string> missing) => new(new Section
    {
        Id = Id,
        Title = Title,
        Text = "The server of the experiment kestrel, with designs that were tried: BufferPool.AsMemoryPool as Kestrel's memory pool, with "
            + "its defaults and with pinned blocks of several sizes from a pool "
            + "without thread caches, and settings of Kestrel beside Tarn.AspNetCore. The servers of a load "
            + $"are loaded by turns, {Rounds} rounds of a second. Quotients are medians of the rounds' quotients by Kestrel's own pool."
            + LoadGenerator.Describe(missing),
        Tables = [.. measured.Select(Table)],
    });

    private Table Table(LoadSamples samples)
    {
        int peer = samples.Times.IndexOf(ServerNames.Default);
        return new Table
        {
            Id = $"{Id}-{samples.Load.Id}",
            Title = samples.Load.Title,
            Note = "Everything is for a request. Time is from one answer to the next; processor time is the server's alone.",
            Columns =
            [
                new Column("Design", ColumnKind.Text),
                new Column("Time", ColumnKind.Nanoseconds),
                new Column("Time, ÷ Kestrel's", ColumnKind.Number),
                new Column("Processor time", ColumnKind.Nanoseconds),
                new Column("Processor time, ÷ Kestrel's", ColumnKind.Number),
                new Column("Generator's processor time", ColumnKind.Nanoseconds),
                new Column("Allocated", ColumnKind.Bytes),
            ],
            Rows =
            [
                .. samples.Times.Contenders.Select((name, contender) => (IReadOnlyList<object?>)
                [
                    name,
                    samples.Times.Median(contender),
                    Math.Round(samples.Times.Ratio(contender, peer).Median, 2),
                    samples.Processor.Median(contender),
                    Math.Round(samples.Processor.Ratio(contender, peer).Median, 2),
                    samples.Generator.Median(contender),
                    samples.Allocated.Median(contender),
                ]),
            ],
        };
    }
}
