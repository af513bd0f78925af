using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;

namespace Tarn.Samples.Tests;

/// <summary>Each sample does what its page says, in a short run.</summary>
public sealed partial class SampleTests
{
    public static TheoryData<string> Names => [.. SampleProcess.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_sample_has_a_page_that_is_in_the_index_and_a_place_in_the_solution(string sample)
    {
        string page = Read($"samples/{sample}/README.md");
        Assert.Contains($"dotnet run -c Release --project samples/{sample}", page, StringComparison.Ordinal);
        Assert.Contains($"]({sample}/README.md)", Read("samples/README.md"), StringComparison.Ordinal);
        Assert.Contains($"samples/{sample}/Tarn.Samples.{sample}.csproj", Read("Tarn.slnx"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_sample_reports_arguments_that_it_does_not_know(string sample)
    {
        (int exitCode, string output) = SampleProcess.Run(sample, "--tea", "1");

        Assert.Equal(2, exitCode);
        Assert.Contains("--tea 1", output, StringComparison.Ordinal);
        Assert.Contains("Usage:", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_server_keeps_uploads_and_refuses_those_that_a_network_changed()
    {
        string output = RunWell("Uploads", "--load", "20");

        Assert.Matches(@"20 uploads of 300 KiB, [\d,]+ a second\.", output);
        Assert.Matches(@"[\d,]+ bytes allocated an upload", output);
        Assert.Contains("The server returned what was uploaded.", output, StringComparison.Ordinal);
        Assert.Contains("The server refused an upload with a wrong digest.", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_proxy_returns_what_was_sent_and_its_memory_to_the_pool()
    {
        string output = RunWell("Proxy", "--load", "8");

        Assert.Matches(@"8 MiB there and back, [\d,]+ a second", output);
        Assert.Contains(" 0 bytes are still lent.", output, StringComparison.Ordinal);
        Assert.Contains("What came back is what was sent.", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_proxy_carries_a_connection_whose_client_has_ended_its_part()
    {
        using TcpListener server = new(IPAddress.Loopback, 0);
        server.Start();
        using SampleProcess proxy = SampleProcess.Start("Proxy", "--listen", "127.0.0.1:0", "--to", $"{server.LocalEndpoint}");
        using TcpClient client = new();
        await client.ConnectAsync(IPEndPoint.Parse(proxy.Await("Carries ").Split(' ')[0]));
        using TcpClient accepted = await server.AcceptTcpClientAsync();
        using NetworkStream asking = client.GetStream();
        using NetworkStream answering = accepted.GetStream();

        await asking.WriteAsync("question"u8.ToArray());
        client.Client.Shutdown(SocketShutdown.Send);
        using StreamReader question = new(answering);
        Assert.Equal("question", await question.ReadToEndAsync());
        await answering.WriteAsync("answer"u8.ToArray());
        accepted.Client.Shutdown(SocketShutdown.Send);
        using StreamReader answer = new(asking);
        Assert.Equal("answer", await answer.ReadToEndAsync());
    }

    [Theory]
    [InlineData("(1 + x) * 3 - -4 / 2", 0, "11")]
    [InlineData("2 - (1 - x]", 1, "']' at position 10 is not expected in the formula \"2 - (1 - x]\".")]
    public void The_parser_evaluates_a_formula_or_says_where_it_is_wrong(string formula, int exitCode, string said) =>
        Assert.Equal((exitCode, said), SampleProcess.Run("Parser", "--formula", formula, "--x", "2"));

    [Fact]
    public void The_parser_allocates_no_managed_memory()
    {
        string output = RunWell("Parser", "--formulas", "100000");

        Assert.Contains("100,000 formulas, ", output, StringComparison.Ordinal);
        Assert.Contains("0.00 managed bytes allocated a formula.", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_two_processes_exchange_all_messages_in_order_and_the_other_kinds()
    {
        string[] lines = RunWell("TwoProcesses", "--messages", "100000").Split('\n');

        Assert.Equal(5, lines.Length);
        Assert.Matches(@"^100,000 messages of 64 bytes in order, [\d,]+ a second\.$", lines[0]);
        Assert.Equal("100 jobs from the queue, whose numbers add up to 5,050.", lines[1]);
        Assert.Equal("News of the topic: 3 messages, 0 lost, the last one 'done'.", lines[2]);
        Assert.Equal("Version 1 of the value is 100,000.", lines[3]);
        Assert.Equal("The answer over the connection: 100000 messages? Thanks.", lines[4]);
    }

    [Fact]
    public void Kestrel_serves_through_shared_memory_and_both_sides_hear_of_a_kill()
    {
        string output = RunWell("HttpOverRings", "--requests", "100");

        foreach (string version in (string[])["1.1", "2.0"])
        {
            Assert.Contains($"HTTP/{version}: the server returned 8 MiB as they were sent.", output, StringComparison.Ordinal);
            Assert.Matches($@"HTTP/{version}, 1 at once: [\d.,]+ µs a request over rings, [\d.,]+ over Unix sockets", output);
            Assert.Matches($@"HTTP/{version}, 4 at once: [\d.,]+ µs a request over rings", output);
            Assert.Contains(
                $"HTTP/{version}: a client was killed, and the server cancelled its request.", output, StringComparison.Ordinal);
        }

        Assert.Matches(@"The server was killed, and the client got: The writer of the ring ""[\w.-]+"", process \d+, exited", output);
    }

    [Fact]
    public void The_worker_sends_the_same_bytes_and_allocates_less()
    {
        string output = RunWell("Worker", "--jobs", "5");

        long[] allocated =
        [
            .. from match in AllocatedPattern().Matches(output)
               select long.Parse(match.Groups[1].ValueSpan, NumberStyles.AllowThousands, CultureInfo.InvariantCulture),
        ];
        Assert.Equal(2, allocated.Length);
        Assert.True(allocated[1] < allocated[0] / 4, output);
        Assert.Contains("Both sent the same bytes", output, StringComparison.Ordinal);
    }

    [Fact]
    public void One_buffer_serves_all_receivers_of_a_message_and_returns()
    {
        string output = RunWell("Broadcast", "--receivers", "1000", "--messages", "20");

        Assert.Matches(@"20 messages to 1,000 receivers, [\d,]+ slices a second\.", output);
        Assert.Contains("A message held 256 bytes, 0 are in use now; 0 managed bytes allocated", output, StringComparison.Ordinal);
        Assert.Contains("Every receiver read every message.", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_bridge_says_that_no_broker_answers()
    {
        (int exitCode, string output) = SampleProcess.Run("Bridge", "--broker", $"amqp://127.0.0.1:{FreePort.Next()}");

        Assert.Equal(2, exitCode);
        Assert.Contains("No broker answers at amqp://127.0.0.1", output, StringComparison.Ordinal);
    }

    private static string RunWell(string sample, params string[] arguments)
    {
        (int exitCode, string output) = SampleProcess.Run(sample, arguments);
        Assert.True(exitCode == 0, $"{sample} ended with {exitCode} and wrote: {output}");
        return output;
    }

    private static string Read(string path) => File.ReadAllText(Path.Combine(SampleProcess.Root, path));

    [GeneratedRegex(@"([\d,]+) bytes allocated a job")]
    private static partial Regex AllocatedPattern();
}
