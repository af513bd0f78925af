using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Tarn;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>
/// Writes the queue's messages to the destination ring, and acknowledges them when they can be read there. It needs no list of what it has
/// written: a message takes the same room in both rings, so the destination's write position is the position of the message that is next.
/// </summary>
internal sealed class Receiver(SharedRing ring, Broker broker, string originFile)
{
    /// <summary>The messages that the broker sends ahead of acknowledgements.</summary>
    private const ushort Window = 1000;

    private const int AcknowledgedTogether = 250;

    private Origin _origin = Origin.Load(originFile);

    internal Task RunAsync(CancellationToken stop) => broker.KeepConnectedAsync(channel => ReceiveAsync(channel, stop), stop);

    private async Task ReceiveAsync(IChannel channel, CancellationToken stop)
    {
        // Unbounded in form; the window bounds it.
        Channel<Delivery> deliveries = Channel.CreateUnbounded<Delivery>();
        AsyncEventingBasicConsumer consumer = new(channel);
        consumer.ReceivedAsync += (_, delivered) =>
        {
            // The body is the client's: it is valid here only.
            deliveries.Writer.TryWrite(new Delivery(delivered.DeliveryTag, delivered.Body.ToArray()));
            return Task.CompletedTask;
        };
        channel.ChannelShutdownAsync += (_, reason) =>
        {
            deliveries.Writer.TryComplete(new AlreadyClosedException(reason));
            return Task.CompletedTask;
        };
        await channel.BasicQosAsync(prefetchSize: 0, Window, global: false, stop);
        await channel.BasicConsumeAsync(broker.Queue, autoAck: false, consumer, stop);
        while (true)
        {
            Delivery delivery = await deliveries.Reader.ReadAsync(stop);
            ulong written;
            do
            {
                Write(delivery.Body, stop);
                written = delivery.Tag;
            }
            while (written % AcknowledgedTogether != 0 && deliveries.Reader.TryRead(out delivery));

            // All messages up to this one can be read in the ring.
            await channel.BasicAckAsync(written, multiple: true, stop);
        }
    }

    /// <summary>Writes a message if it is the next one. A second copy needs only its acknowledgement.</summary>
    private void Write(byte[] body, CancellationToken stop)
    {
        Envelope envelope = Envelope.Read(body);
        if (envelope.Ring != _origin.Source || ring.Id != _origin.Destination)
        {
            Begin(envelope);
        }

        long next = ring.WritePosition - _origin.Offset;
        if (envelope.Position > next)
        {
            throw Missing(envelope, next);
        }

        while (envelope.Position == ring.WritePosition - _origin.Offset)
        {
            try
            {
                // Waits while the ring is full. This one step publishes the message and makes the next position the expected one.
                ring.Write(body.AsSpan(Envelope.Length), stop);
            }
            catch (SharedPeerLostException lost)
            {
                // Reported once. The reader's successor will read on.
                Console.Error.WriteLine(lost.Message);
            }
        }
    }

    /// <summary>The first message of a ring: from now on, its positions are counted from where this ring is.</summary>
    private void Begin(Envelope first)
    {
        // A destination that is new, because its machine was started again, takes what comes. One that is not has missed messages unless
        // the source is at its beginning.
        if (ring.Id == _origin.Destination && first.Position != 0)
        {
            throw Missing(first, next: 0);
        }

        _origin = new Origin(first.Ring, ring.Id, ring.WritePosition - first.Position);
        _origin.Save(originFile);
        Console.WriteLine($"Receives from the ring {first.Ring}, from its position {first.Position} on.");
    }

    /// <summary>Nothing is acknowledged then, so nothing is lost: the broker sends it all again.</summary>
    private static IOException Missing(Envelope found, long next) =>
        new($"The message at {found.Position} of the ring {found.Ring} came, but that at {next} is next.");

    private readonly record struct Delivery(ulong Tag, byte[] Body);
}
