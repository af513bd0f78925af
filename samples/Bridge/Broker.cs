using System.Net.Sockets;
using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Samples;

/// <summary>The broker between the two machines, and the queue that the messages wait in.</summary>
internal sealed class Broker(Uri address, string queue)
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(500);

    /// <summary>What makes a queue keep every message, in order.</summary>
    private static readonly Dictionary<string, object?> s_kept = new()
    {
        // Its messages are in a replicated log, and confirmed when they are on disk: what a killed broker loses is the end of the log.
        ["x-queue-type"] = "quorum",

        // A second receiver gets nothing before the first one's unacknowledged messages are back in their places.
        ["x-single-active-consumer"] = true,

        // Brokers drop a message after some deliveries unless told otherwise. With a limit, it also returns to the head, not to the end.
        ["x-delivery-limit"] = 1_000_000_000,
    };

    internal string Queue => queue;

    /// <summary>Runs the work on a channel, and again on a new one whenever the broker or the connection fails.</summary>
    internal async Task KeepConnectedAsync(Func<IChannel, Task> work, CancellationToken stop)
    {
        // The client must not recover by itself: the work has to know that its unfinished messages are lost or come again.
        ConnectionFactory factory = new()
        {
            Uri = address,
            AutomaticRecoveryEnabled = false,
            RequestedHeartbeat = TimeSpan.FromSeconds(10),
        };
        CreateChannelOptions confirmed = new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true);
        while (true)
        {
            try
            {
                await using IConnection connection = await factory.CreateConnectionAsync(stop);
                await using IChannel channel = await connection.CreateChannelAsync(confirmed, stop);
                await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false, s_kept, cancellationToken: stop);
                await work(channel);
            }
            catch (Exception loss) when (!stop.IsCancellationRequested && IsLoss(loss))
            {
                Console.Error.WriteLine($"Connects again to {address.Host}: {loss.Message}");
            }

            await Task.Delay(s_pause, stop);
        }
    }

    internal async Task DeleteQueueAsync()
    {
        await using IConnection connection = await new ConnectionFactory { Uri = address }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeleteAsync(queue, ifUnused: false, ifEmpty: false);
    }

    private static bool IsLoss(Exception e) =>
        e is RabbitMQClientException or IOException or SocketException or TimeoutException or ChannelClosedException;
}
