using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Tails;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Calls;

namespace Tarn.Lab.Tests.Experiments;

public class TailsTests
{
    [Fact]
    public void Every_kind_of_call_is_timed_on_every_thread_ours_before_its_peers()
    {
        using var crew = new Crew(3);
        using var contenders = new TailContenders(crew.Size, new Random(1));

        IReadOnlyList<CallRounds> rounds = TailRun.Measure(
            contenders.All, crew, new RoundSettings(2, TimeSpan.FromMilliseconds(2)), new Random(1), _ => { });

        Assert.Equal(
            CallKinds.All.Prepend(CallKinds.None).Order(), rounds.Select(one => one.Kind).Distinct().Order());
        Assert.All(CallKinds.All, kind =>
        {
            string[] names = [.. rounds.Where(one => one.Kind == kind).Select(one => one.Contender)];
            Assert.Equal(SeriesRole.Ours, PoolNames.RoleOf(names[0]));
            Assert.Equal(SeriesRole.Peer, PoolNames.RoleOf(names[^1]));
        });
        Assert.All(rounds, one => Assert.True(one.Times.All().Count >= 2 * crew.Size, one.Contender));
        Assert.Equal(TailContenders.Timer, rounds[0].Contender);
    }

    [Fact]
    public void The_result_compares_each_of_ours_with_each_peer_and_names_every_contender()
    {
        CallRounds[] rounds =
        [
            Create(TailContenders.Timer, CallKinds.None),
            .. CallKinds.All.SelectMany(kind => (CallRounds[])
            [
                Create(NativeNames.TarnHeap, kind), Create(NativeNames.TarnHeapInstance + TailContenders.Disturbed, kind),
                Create(NativeNames.Mimalloc, kind), Create(NativeNames.NativeMemory, kind),
            ]),
        ];

        ExperimentResult result = new TailsExperiment().CreateResult(rounds, threads: 4);

        Assert.Equal(4 * CallKinds.All.Count, result.Comparisons.Count);
        Assert.Distinct(result.Comparisons.Select(one => one.Id));
        Comparison free = Assert.Single(result.Comparisons, one => one.Id == "tails-free-mimalloc");
        Assert.Equal((1, 1), (free.Ratio, free.Target));
        Assert.Null(Assert.Single(result.Comparisons, one => one.Id == "tails-free-disturbed-nativememory").Target);
        Assert.Equal(CallKinds.All.Select(kind => $"tails-{kind.ToLowerInvariant()}-late"), result.Figures.Select(figure => figure.Id));
        Assert.All(result.Section.Tables, table => Assert.Equal(rounds.Length, table.Rows.Count));
        Assert.All(result.Section.Tables, table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.All(result.Section.Charts, chart => Assert.Equal(5, chart.Series.Count));
        Assert.Contains("on 4 threads", result.Section.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_program_stays_in_its_ranges_and_shares_one_buffer_in_eight()
    {
        var program = new CallProgram(new Random(3));

        Assert.All(program.Lengths, length => Assert.InRange(length, CallProgram.ShortestLength, CallProgram.LongestLength));
        Assert.All(program.Places, place => Assert.InRange(place, -CallProgram.SharedPlaces, CallProgram.OwnPlaces - 1));
        Assert.InRange(program.Places.Count(place => place < 0), CallProgram.Steps / 9, CallProgram.Steps / 7);
    }

    [Fact]
    public unsafe void Blocks_that_are_left_are_freed()
    {
        using var heap = new NativeHeap();
        using var crew = new Crew(2);
        CallProgram[] programs = [.. Enumerable.Range(0, 2).Select(seed => new CallProgram(new Random(seed)))];
        var calls = new BlockCalls<TarnHeapInstance>("heap", new(heap), programs);
        _ = calls.Run(crew, TimeSpan.FromMilliseconds(2));
        Assert.NotEqual(0, heap.GetStatistics().InUseBlocks);

        calls.Dispose();

        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    private static CallRounds Create(string contender, string kind)
    {
        var rounds = new CallRounds(contender, kind);
        var times = new CallTimes();
        for (int i = 0; i < 1_000; i++)
        {
            times.Kept.Record(100);
        }

        rounds.Add(times);
        rounds.Add(times);
        return rounds;
    }
}
