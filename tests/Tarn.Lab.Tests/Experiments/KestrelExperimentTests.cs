using System.Text.RegularExpressions;
using Tarn.Lab.Contenders;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Servers;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Experiments;

public class KestrelExperimentTests
{
    private const string WrkOutput =
        """
        Running 2s test @ http://127.0.0.1:5000/upload
          1 threads and 16 connections
          Thread Stats   Avg      Stdev     Max   +/- Stdev
            Latency     2.93ms    1.22ms  22.16ms   91.38%
            Req/Sec     5.52k   453.63     6.33k    75.00%
          Latency Distribution
             50%    2.77ms
             75%    3.21ms
             90%    3.85ms
             99%    7.25ms
          11012 requests in 2.00s, 1.15MB read
          Socket errors: connect 1, read 2, write 3, timeout 4
          Non-2xx or 3xx responses: 5
        Requests/sec:   5499.16
        Transfer/sec:    590.73KB
        """;

    private const string H2LoadOutput =
        """
        finished in 2.00s, 2750.50 req/s, 1.05MB/s
        requests: 5501 total, 5565 started, 5501 done, 5498 succeeded, 1 failed, 2 errored, 0 timeout
        status codes: 5501 2xx, 0 3xx, 0 4xx, 0 5xx
        """;

    [Fact]
    public void What_wrk_prints_is_read()
    {
        Assert.Equal(new LoadFound(5_499.16, 7.25e6, 15), LoadGenerator.ReadWrk(WrkOutput));
        IEnumerable<string> withoutErrors = WrkOutput.Split('\n').Where(line => !Regex.IsMatch(line, "errors|Non-2xx"));
        Assert.Equal(
            new LoadFound(5_499.16, 870e3, 0),
            LoadGenerator.ReadWrk(string.Join('\n', withoutErrors).Replace("7.25ms", "870.00us", StringComparison.Ordinal)));
        Assert.Throws<InvalidOperationException>(() => LoadGenerator.ReadWrk("unable to connect"));
    }

    [Fact]
    public void What_h2load_prints_and_logs_is_read()
    {
        string[] log = [.. Enumerable.Range(1, 200).Select(number => $"1000\t{(number == 7 ? 500 : 200)}\t{number}")];

        Assert.Equal(new LoadFound(2_750.50, 199e3, 4), LoadGenerator.ReadH2Load(H2LoadOutput, log));
        Assert.Throws<InvalidOperationException>(() => LoadGenerator.ReadH2Load("could not connect", []));
    }

    [Fact]
    public void Targets_are_those_of_the_project_and_every_load_has_four_comparisons()
    {
        ExperimentResult result = new KestrelExperiment().ToResult(Measured(), []);

        Assert.Equal(36, result.Comparisons.Count);
        Assert.Distinct(result.Comparisons.Select(comparison => comparison.Id));
        Assert.Equal(0.455, Find("kestrel-http1-upload").Target!.Value, 3);
        Assert.Equal(0.769, Find("kestrel-tls-download").Target!.Value, 3);
        Assert.Equal(1.020, Find("kestrel-http2-get").Target!.Value, 3);
        Assert.Equal(0.5, Find("kestrel-http1-upload").Ratio);
        Assert.Equal(1, Find("kestrel-late-http1-upload").Target);
        Assert.Equal((20, 50, "ns"), Values(Find("kestrel-processor-http1-upload")));
        Assert.Equal(0.455, Find("kestrel-processor-http1-upload").Target!.Value, 3);
        Assert.Equal((100, 300, "B"), Values(Find("kestrel-allocated-http1-upload")));
        Assert.Equal(
            [("kestrel-memory-after", 1.05), ("kestrel-slow-pooled", 0.5), ("kestrel-slow-unanswered", 0.0002), ("kestrel-failures", 0.05)],
            result.Figures.Select(figure => (figure.Id, Math.Round(figure.Value, 4))));

        Comparison Find(string id) => result.Comparisons.Single(comparison => comparison.Id == id);
    }

    [Fact]
    public void Without_generators_the_report_says_so_and_has_the_rest()
    {
        ExperimentResult result = new KestrelExperiment().ToResult(Measured() with { Loads = [], Memory = [] }, ["wrk", "h2load"]);

        Assert.Empty(result.Comparisons);
        Assert.Contains("not installed here: wrk and h2load.", result.Section.Text, StringComparison.Ordinal);
        Assert.Equal("kestrel-slow", Assert.Single(result.Section.Tables).Id);
    }

    [Fact]
    public void Every_table_has_a_cell_for_each_column()
    {
        Section section = new KestrelExperiment().ToResult(Measured(), []).Section;

        Assert.Equal(4, section.Tables.Count);
        Assert.Equal(["Upload of 300 KiB, HTTP/1.1", 2e5, 3e5, 0.2, 0.5, 0.45], section.Tables[1].Rows[0]);
        Assert.All(section.Tables, table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.Equal(SeriesRole.Ours, section.Charts[0].Series[0].Role);
        Assert.Equal(SeriesRole.Peer, section.Charts[0].Series[1].Role);
    }

    private static (double Ours, double Peer, string Unit) Values(Comparison one) => (one.OursValue, one.PeerValue, one.Unit);

    /// <summary>Ours took half of the time and a third of the memory.</summary>
    private static KestrelMeasurements Measured() => new(
        [
            .. ServerLoad.All.Select(load =>
            {
                var samples = new LoadSamples(load, ServerNames.All, rounds: 1);
                ServerCounters none = ServerCounters.Parse("0 0 0 0 0 0");
                var ours = new LoadFound(2_000, 1e6, 1) { GeneratorNanoseconds = 2e6 };
                var peers = new LoadFound(1_000, 1e6, 0) { GeneratorNanoseconds = 3e6 };
                samples.Add(0, 0, ours, none, ServerCounters.Parse("10 200 1000 0 0 0"));
                samples.Add(0, 1, peers, none, ServerCounters.Parse("10 500 3000 0 0 0"));
                return samples;
            }),
        ],
        [new MemoryFound(ServerNames.Tarn, 100, 200, 105), new MemoryFound(ServerNames.Default, 100, 200, 150)],
        new SlowFound(5_000, 4_999, KestrelMeasurements.SlowCap / 2, 1 << 30));
}
