using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The work of one end of a ring that awaits: stamped messages, with each way of reading and writing in turn.</summary>
internal static class AwaitedRingWork
{
    internal static async Task Write(SharedRing ring, int first, int count, Random? pauses)
    {
        for (int index = first; index < first + count; index++)
        {
            await Pause(pauses);
            ulong number = RingMessage.NumberOf(0, index);
            byte[] message = RingMessage.Create(number, ring.MaxMessageLength);
            if (index % 3 == 0)
            {
                await ring.WriteAsync(message);
                continue;
            }

            await ring.WaitToWriteAsync(message.Length);
            if (!(index % 3 == 1 ? ring.TryWrite(message) : TryInPlace(ring, message)))
            {
                throw new InvalidDataException($"There was no room for message {index} after the wait.");
            }
        }
    }

    internal static async Task Read(SharedRing ring, int first, int count, Random? pauses)
    {
        byte[] bytes = new byte[ring.MaxMessageLength];
        for (int index = first; index < first + count; index++)
        {
            await Pause(pauses);
            if (index % 4 == 0)
            {
                await foreach (ReadOnlyMemory<byte> message in ring.ReadAllAsync())
                {
                    Verify(ring, message.Span, index);
                    break;
                }

                continue;
            }

            if (index % 4 == 1)
            {
                Verify(ring, bytes.AsSpan(0, await ring.ReadAsync(bytes)), index);
                continue;
            }

            int length = 0;
            await ring.WaitToReadAsync();
            if (!(index % 4 == 2 ? TryInPlace(ring, bytes, out length) : ring.TryRead(bytes, out length)))
            {
                throw new InvalidDataException($"There was no message {index} after the wait.");
            }

            Verify(ring, bytes.AsSpan(0, length), index);
        }
    }

    private static bool TryInPlace(SharedRing ring, ReadOnlySpan<byte> message)
    {
        if (!ring.TryBeginWrite(message.Length, out SharedRoom room))
        {
            return false;
        }

        message.CopyTo(room.Span);
        room.Commit(message.Length);
        return true;
    }

    private static bool TryInPlace(SharedRing ring, byte[] bytes, out int length)
    {
        if (!ring.TryBeginRead(out SharedMessage message))
        {
            length = 0;
            return false;
        }

        using (message)
        {
            length = message.Span.Length;
            message.Span.CopyTo(bytes);
            message.Pass();
        }

        return true;
    }

    private static void Verify(SharedRing ring, ReadOnlySpan<byte> message, int index)
    {
        if (!RingMessage.Is(message, RingMessage.NumberOf(0, index), ring.MaxMessageLength))
        {
            throw new InvalidDataException($"Not message {index}, but {message.Length} bytes, {RingMessage.Told(message):x}.");
        }
    }

    /// <summary>Of a length about which the other side goes to sleep, most often.</summary>
    private static async ValueTask Pause(Random? random)
    {
        if (random is null)
        {
            return;
        }

        switch (random.Next(100))
        {
            case 0:
                await Task.Delay(random.Next(3));
                break;
            case < 10:
                await Task.Yield();
                break;
            default:
                Thread.SpinWait(random.Next(1500));
                break;
        }
    }
}
