using System.Buffers;
using RabbitMQ.Client;
using Tarn;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>
/// Reads the source ring ahead and publishes. A message leaves the ring when the broker has confirmed it and all before it; so the ring is
/// the sender's memory of what it has still to send, and outlives it.
/// </summary>
internal sealed class Sender(SharedRing ring, Broker broker)
{
    /// <summary>The messages that may wait for confirmations.</summary>
    private const int Window = 1000;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    internal Task RunAsync(CancellationToken stop) => broker.KeepConnectedAsync(channel => SendAsync(channel, stop), stop);

    private async Task SendAsync(IChannel channel, CancellationToken stop)
    {
        // After a loss: what was not confirmed is still in the ring, and goes once more, in the same order, with the same positions.
        long position = ring.ReadPosition;
        Queue<(Task Confirmed, long End)> unconfirmed = new();
        while (true)
        {
            while (unconfirmed.Count < Window && Take(ref position) is { } body)
            {
                unconfirmed.Enqueue((PublishAsync(channel, body), position));
            }

            if (unconfirmed.TryDequeue(out (Task Confirmed, long End) oldest))
            {
                await oldest.Confirmed.WaitAsync(s_patience, stop);
                ring.AdvanceTo(oldest.End);
            }
            else
            {
                AwaitMessage(stop);
            }
        }
    }

    /// <summary>Copies the message at the position behind its envelope, and moves the position past it. Null if there is none.</summary>
    private IMemoryOwner<byte>? Take(ref long position)
    {
        Envelope envelope = new(ring.Id, position);
        if (!ring.TryReadAhead(ref position, out ReadOnlySpan<byte> message))
        {
            return null;
        }

        IMemoryOwner<byte> body = BufferPool<byte>.Shared.LeaseMemory(Envelope.Length + message.Length);
        envelope.Write(body.Memory.Span);
        message.CopyTo(body.Memory.Span[Envelope.Length..]);
        return body;
    }

    /// <summary>Completes when the broker has confirmed the message, and fails if it refuses it or is gone.</summary>
    private async Task PublishAsync(IChannel channel, [TakesOwnership] IMemoryOwner<byte> body)
    {
        using (body)
        {
            BasicProperties properties = new() { Persistent = true };
            await channel.BasicPublishAsync(exchange: "", broker.Queue, mandatory: true, properties, body.Memory);
        }
    }

    /// <summary>Holds the thread until the ring has a message: nothing else is to be done.</summary>
    private void AwaitMessage(CancellationToken stop)
    {
        try
        {
            ring.BeginRead(stop).Dispose();
        }
        catch (SharedPeerLostException lost)
        {
            // Reported once. The writer's successor will write on.
            Console.Error.WriteLine(lost.Message);
        }
    }
}
