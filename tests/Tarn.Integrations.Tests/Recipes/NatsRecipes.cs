using System.Diagnostics;
using System.Globalization;
using NATS.Client.Core;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class NatsRecipes
{
    private static readonly string[] s_programs = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];

    /// <summary>The server's program, or null where it is not installed.</summary>
    internal static string? Server => s_programs.FirstOrDefault(File.Exists);

    [SkippableFact]
    public async Task A_message_leaves_a_stream_as_a_sequence_and_arrives_in_an_owner()
    {
        Skip.If(Server is null, "nats-server is not installed here");
        string port = FreePort.Next().ToString(CultureInfo.InvariantCulture);
        using Process server = Process.Start(Server, ["-a", "127.0.0.1", "-p", port, "-l", "/dev/null"]);
        try
        {
            await SendAndReceive($"nats://127.0.0.1:{port}");
        }
        finally
        {
            server.Kill();
        }
    }

    private static async Task SendAndReceive(string address)
    {
        byte[] report = new byte[300_000];
        new Random(1).NextBytes(report);
        await using NatsConnection nats = new(new NatsOpts { Url = address, RetryOnInitialConnect = true });
        await nats.ConnectAsync();

        #region NATS
        await using INatsSub<NatsMemoryOwner<byte>> reports = await nats.SubscribeCoreAsync<NatsMemoryOwner<byte>>("reports");
        using PooledMemoryStream contents = new();
        contents.Write(report);
        await nats.PublishAsync("reports", contents.GetReadOnlySequence());

        NatsMsg<NatsMemoryOwner<byte>> delivery = await reports.Msgs.ReadAsync();
        using NatsMemoryOwner<byte> message = delivery.Data;
        #endregion

        Assert.Equal(report, message.Span);
    }
}
