using System.Globalization;
using System.Text.RegularExpressions;
using Tarn.Integrations.Tests.Documents;
using Tarn.Integrations.Tests.Recipes;
using Tarn.Tests.Support;
using Xunit.Abstractions;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>What a message of 5 MB costs in each client, beside the table in docs/integrations.md.</summary>
[Collection(nameof(PayloadTests))]
public sealed partial class PayloadTests(ITestOutputHelper output)
{
    private const int Times = 40;
    private const int MostRuns = 4;

    private static readonly List<(string Name, Func<PayloadClient> Create)> s_clients =
    [
        ("HttpClient, a download", static () => new DownloadClient()),
        ("ClientWebSocket, a message received", static () => new SocketClient()),
        ("gRPC, a call there and back", static () => new GrpcClient()),
        ("StackExchange.Redis, a value read", static () => new RedisClient()),
        ("IBufferDistributedCache, an entry read", static () => new CacheClient()),
        ("HybridCache, an entry read", static () => new HybridClient()),
        ("NATS, published and received", static () => new NatsClient()),
        ("RabbitMQ, published and received", static () => new RabbitClient()),
        ("Npgsql, a column read", static () => new NpgsqlClient()),
        ("MessagePack, an array written", static () => new MessagePackClient()),
        ("MemoryPack, an array written", static () => new MemoryPackClient()),
        ("Orleans.Serialization, an array written", static () => new OrleansClient()),
        ("Apache Arrow, a batch written and read", static () => new ArrowClient()),
        ("Parquet.Net, a file written and read", static () => new ParquetClient()),
    ];

    public static TheoryData<string> Clients => [.. s_clients.Select(static client => client.Name)];

    [SkippableTheory]
    [MemberData(nameof(Clients))]
    public async Task A_message_costs_what_the_document_says(string name)
    {
        Skip.IfNot(StressLength.IsLong, "it measures a table of a document; the long form does it");
        Skip.If(name.StartsWith("NATS", StringComparison.Ordinal) && NatsRecipes.Server is null, "nats-server is not installed here");
        Skip.If(name.StartsWith("RabbitMQ", StringComparison.Ordinal) && !BrokerProcess.IsInstalled, "RabbitMQ is not installed here");
        await using PayloadClient client = s_clients.Single(known => known.Name == name).Create();

        // The usual way comes last: the collections that its large arrays cause empty the pools. So do those of other causes, and the
        // clock on a busy machine: what a message costs is the least of a few runs.
        double[] told = Told(name);
        AllocatedBytes pooled = await AllocatedBytes.OfAsync(client.WithTarnAsync, Times);
        for (int i = 1; i < MostRuns && (InMegabytes(pooled.All) > told[2] || InMegabytes(pooled.Large) > told[3]); i++)
        {
            pooled = await AllocatedBytes.OfAsync(client.WithTarnAsync, Times);
        }

        AllocatedBytes usual = await AllocatedBytes.OfAsync(client.UsualAsync, Times);
        double[] measured = [InMegabytes(usual.All), InMegabytes(usual.Large), InMegabytes(pooled.All), InMegabytes(pooled.Large)];
        IEnumerable<string> figures = measured.Select(static value => value.ToString("0.0", CultureInfo.InvariantCulture));
        output.WriteLine($"| {name} | {string.Join(" | ", figures)} |");
        Assert.InRange(measured[0], told[0], double.MaxValue);
        Assert.InRange(measured[1], told[1], double.MaxValue);
        Assert.InRange(measured[2], 0, told[2]);
        Assert.InRange(measured[3], 0, told[3]);
    }

    [Fact]
    public void The_document_has_a_row_for_each_client() =>
        Assert.Equal(s_clients.Select(static client => client.Name).Order(), Rows().Select(static row => row.Groups["name"].Value).Order());

    private static double InMegabytes(long bytes) => bytes / 1e6;

    private static double[] Told(string name) =>
        [.. Rows().Single(row => row.Groups["name"].Value == name).Groups["value"].Captures
            .Select(static capture => double.Parse(capture.Value, CultureInfo.InvariantCulture))];

    private static MatchCollection Rows() => Row().Matches(File.ReadAllText(Path.Combine(DocumentedCode.Root, "docs/integrations.md")));

    [GeneratedRegex(@"^\| (?<name>[^|]+?) (?:\| (?<value>\d+\.\d) ){4}\|$", RegexOptions.Multiline)]
    private static partial Regex Row();
}
