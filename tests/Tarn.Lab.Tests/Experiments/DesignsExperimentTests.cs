using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments.Servers;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class DesignsExperimentTests
{
    [Fact]
    public void Every_load_has_a_table_with_a_row_for_each_design()
    {
        Section section = new DesignsExperiment().ToResult([.. Loads().Select(Measured)], ["h2load"]).Section;

        Assert.Contains("not installed here: h2load.", section.Text, StringComparison.Ordinal);
        Assert.Equal(Loads().Select(load => $"kestrel-designs-{load.Id}"), section.Tables.Select(table => table.Id));
        Assert.All(section.Tables, table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.Equal([ServerNames.Default, 1e6, 1.0, 20.0, 1.0, 50.0, 300.0], section.Tables[0].Rows[0]);
        Assert.Equal([ServerNames.Tarn, 0.5e6, 0.5, 10.0, 0.5, 50.0, 100.0], section.Tables[0].Rows[1]);
    }

    [Fact]
    public void Every_load_compares_with_Kestrels_own_pool_and_every_design_is_measured()
    {
        Assert.All(Loads(), load => Assert.Equal(ServerNames.Default, ServerDesign.All.First(design => design.Concerns(load)).Name));
        Assert.All(ServerDesign.All, design => Assert.Contains(Loads(), load => design.Concerns(load)));
        Assert.Distinct(ServerDesign.All.Select(design => design.Name));
        Assert.Equal(
            ["memory-pool:65536"], ServerDesign.All.Single(design => design.Name.Contains("64 KiB", StringComparison.Ordinal)).Arguments);
    }

    private static IEnumerable<ServerLoad> Loads() => ServerLoad.All.Where(load => load.Work != ServerWork.Get);

    /// <summary>Kestrel's own pool takes twice the time and three times the memory of each other design.</summary>
    private static LoadSamples Measured(ServerLoad load)
    {
        string[] names = [.. ServerDesign.All.Where(design => design.Concerns(load)).Select(design => design.Name)];
        var samples = new LoadSamples(load, names, rounds: 1);
        ServerCounters none = ServerCounters.Parse("0 0 0 0 0 0");
        for (int contender = 0; contender < names.Length; contender++)
        {
            bool isPeer = names[contender] == ServerNames.Default;
            samples.Add(
                0, contender, new LoadFound(isPeer ? 1_000 : 2_000, 1e6, 0) { GeneratorNanoseconds = 500 }, none,
                ServerCounters.Parse(isPeer ? "10 200 3000 0 0 0" : "10 100 1000 0 0 0"));
        }

        return samples;
    }
}
