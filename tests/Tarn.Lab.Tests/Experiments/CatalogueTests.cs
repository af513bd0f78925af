using Tarn.Lab.Experiments;
using Tarn.Lab.Running;

namespace Tarn.Lab.Tests.Experiments;

public class CatalogueTests
{
    private const string All = "traces, loads, requests, tails, kestrel, kestrel-designs, single, lease, deep, threads, handover, random, "
        + "lossy, many-types, first-use, slack, idle, slices, budgets, watched, allocations, native-pair, kmalloc, native-memory, "
        + "huge-pages, shrinking, workloads, streams, stream-threads, stream-users, writers, ring, one-way, queue, topic, "
        + "scale, net6-allocation, large-arrays, stream-growth, frame-allocation, copy, copy-ways";

    [Fact]
    public void Ids_are_unique_and_in_reading_order()
    {
        Assert.Equal(All.Split(", "), Catalogue.All.Select(experiment => experiment.Id));
    }

    [Fact]
    public void Every_experiment_has_a_title_and_takes_no_less_time_in_full()
    {
        Assert.All(Catalogue.All, experiment =>
        {
            Assert.NotEmpty(experiment.Title);
            Assert.True(experiment.QuickSeconds > 0, experiment.Id);
            Assert.True(experiment.FullSeconds >= experiment.QuickSeconds, experiment.Id);
        });
    }

    [Fact]
    public void None_named_selects_all_of_them_in_a_full_run()
    {
        Assert.Same(Catalogue.All, Catalogue.Select([], isFull: true));
    }

    [Fact]
    public void None_named_selects_those_of_less_than_five_minutes_in_a_quick_run()
    {
        IReadOnlyList<IExperiment> quick = Catalogue.Select([], isFull: false);

        Assert.Equal(
            Catalogue.All.Select(experiment => experiment.Id).Except(Catalogue.OnRequest), quick.Select(experiment => experiment.Id));
        Assert.Equal(Catalogue.All.Count, quick.Count + Catalogue.OnRequest.Count);
        Assert.Equal(["traces", "loads", "requests"], quick.Take(3).Select(experiment => experiment.Id));
        Assert.InRange(quick.Sum(experiment => experiment.QuickSeconds), 60, 270);
    }

    [Fact]
    public void A_quick_run_names_the_experiments_it_leaves_out()
    {
        IReadOnlyDictionary<string, string> settings = SettingsReader.Read(1, ["copy", "kmalloc"]);

        Assert.StartsWith("copy, kmalloc; ", settings[SettingsReader.LeftOut], StringComparison.Ordinal);
        Assert.False(SettingsReader.Read(1, []).ContainsKey(SettingsReader.LeftOut));
    }

    [Fact]
    public void Those_named_are_selected_once_and_in_reading_order()
    {
        Assert.Equal(
            ["single", "deep", "idle"],
            Catalogue.Select(["idle", "single", "deep", "single"], isFull: false).Select(experiment => experiment.Id));
    }

    [Fact]
    public void Unknown_ids_are_all_named_beside_those_there_are()
    {
        var exception = Assert.Throws<UnknownExperimentException>(() => Catalogue.Select(["nope", "single", "Lease"], isFull: false));

        Assert.Equal($"No such experiment: nope, Lease. There are: {All}.", exception.Message);
    }
}
