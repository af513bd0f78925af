using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Samples.Tests;

/// <summary>The bridge with a real broker: whatever is killed, every message arrives, once, in order and unchanged.</summary>
public sealed class BridgeTests
{
    private const string NotInstalled = "RabbitMQ is not installed (Debian: rabbitmq-server).";

    /// <summary>How long processes are killed; null for once each.</summary>
    private static readonly TimeSpan? s_stress = StressLength.IsAsked ? StressLength.Duration : null;

    /// <summary>RabbitMQ 3.10 forgets a queue if it is killed within a second or so of its declaration.</summary>
    private static readonly TimeSpan s_untilQueueIsKept = TimeSpan.FromSeconds(3);

    [SkippableFact]
    public async Task Nothing_is_lost_doubled_or_out_of_order_when_either_process_or_the_broker_is_killed()
    {
        Skip.IfNot(StressLength.IsLong, "a broker takes half a minute; the long form starts it");
        Skip.IfNot(BrokerProcess.IsInstalled, NotInstalled);
        int seed = Random.Shared.Next();
        Random random = new(seed);
        using BrokerProcess broker = new();
        using BridgeTraffic traffic = new(isPaced: s_stress is null);
        using BridgeEnd sender = new("send", traffic.Source.Name, broker.Address);
        using BridgeEnd receiver = new("receive", traffic.Destination.Name, broker.Address);
        broker.AwaitStart();
        traffic.Start();
        List<string> killed = [];
        AwaitMore();
        Stopwatch elapsed = Stopwatch.StartNew();
        do
        {
            int[] victims = [0, 1];
            random.Shuffle(victims);
            foreach (int victim in (int[])[.. victims, 2])
            {
                Kill(victim);
                AwaitMore();
            }
        }
        while (elapsed.Elapsed < s_stress);

        (long written, string? wrong) = await traffic.EndAsync();
        string told = $"Seed {seed}, killed: {string.Join(", ", killed)}.\n{sender.Output}\n{receiver.Output}";
        Assert.True(wrong is null, $"{wrong} {told}");
        Assert.True(written > killed.Count, told);

        void AwaitMore() => Assert.True(
            traffic.AwaitMore(random.Next(1, 200)),
            $"No more messages arrive. Seed {seed}, killed: {string.Join(", ", killed)}.\n{sender.Output}\n{receiver.Output}");

        void Kill(int victim)
        {
            Thread.Sleep(random.Next(20));
            if (victim == 2 && elapsed.Elapsed < s_untilQueueIsKept)
            {
                Thread.Sleep(s_untilQueueIsKept - elapsed.Elapsed);
            }

            killed.Add(victim switch { 0 => "sender", 1 => "receiver", _ => "broker" });
            switch (victim)
            {
                case 0:
                    sender.KillAndStart();
                    break;
                case 1:
                    receiver.KillAndStart();
                    break;
                default:
                    broker.KillAndStart();
                    break;
            }
        }
    }
}
