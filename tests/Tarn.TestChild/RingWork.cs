using System.Diagnostics;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The work of one end of a ring: stamped messages, with each way of writing and reading in turn.</summary>
internal static class RingWork
{
    internal static void Write(SharedRing ring, int first, int count, Random? pauses)
    {
        for (int index = first; index < first + count; index++)
        {
            Pause(pauses);
            WriteOne(ring, RingMessage.NumberOf(0, index));
        }
    }

    internal static void Read(SharedRing ring, int first, int count, Random? pauses)
    {
        for (int index = first; index < first + count; index++)
        {
            Pause(pauses);
            ulong number = RingMessage.NumberOf(0, index);
            ReadOne(ring, index, message => Verify(ring, message, number));
        }
    }

    /// <summary>How many messages went in.</summary>
    internal static int Fill(SharedRing ring)
    {
        int count = 0;
        while (ring.TryWrite(RingMessage.Create(RingMessage.NumberOf(0, count), ring.MaxMessageLength)))
        {
            count++;
        }

        return count;
    }

    /// <summary>Waits for an event that never happens, until another call ends the wait some milliseconds later.</summary>
    internal static void WaitUntil(SharedRing ring, string what, int milliseconds, Action end, CancellationToken token)
    {
        Thread ending = new(() =>
        {
            Thread.Sleep(milliseconds);
            end();
        });
        if (what == "write")
        {
            Fill(ring);
        }

        ending.Start();
        try
        {
            if (what == "write")
            {
                ring.Write(new byte[ring.MaxMessageLength], token);
            }
            else
            {
                ring.BeginRead(token);
            }
        }
        finally
        {
            ending.Join();
        }
    }

    /// <summary>Sends each received message back.</summary>
    internal static string Echo(SharedRing ring, SharedRing back, int count, Random pauses)
    {
        for (int i = 0; i < count; i++)
        {
            using SharedMessage message = ring.BeginRead();
            Pause(pauses);
            back.Write(message.Span);
            message.Pass();
        }

        return "done";
    }

    internal static string Ping(SharedRing ring, SharedRing back, int count, Random pauses)
    {
        for (int i = 0; i < count; i++)
        {
            Pause(pauses);
            ulong number = RingMessage.NumberOf(0, i);
            WriteOne(ring, number);
            ReadOne(back, i, message => Verify(back, message, number));
        }

        return "done";
    }

    internal static void WriteUntilKilled(SharedRing ring, RingLog log, long generation)
    {
        for (long index = 0; ; index++)
        {
            ulong number = RingMessage.NumberOf(generation, index);
            Volatile.Write(ref log.Begun(generation), index + 1);
            while (true)
            {
                try
                {
                    WriteOne(ring, number);
                    break;
                }
                catch (SharedPeerLostException)
                {
                    // Its successor comes.
                }
            }

            Volatile.Write(ref log.Written(generation), index + 1);
        }
    }

    internal static void ReadUntilKilled(SharedRing ring, RingLog log)
    {
        RingTally tally = new(log, ring.MaxMessageLength);
        tally.Begin();
        for (int way = 0; ; way++)
        {
            try
            {
                ReadOne(ring, way, tally.Take);
                tally.Log();
            }
            catch (SharedPeerLostException)
            {
                // Its successor comes.
            }
        }
    }

    private static void WriteOne(SharedRing ring, ulong number)
    {
        int length = RingMessage.LengthOf(number, ring.MaxMessageLength);
        if (number % 2 == 0)
        {
            // Now and then more is asked for than is needed.
            using SharedRoom room = ring.BeginWrite(number % 4 == 0 ? length : ring.MaxMessageLength);
            RingMessage.Fill(room.Span[..length], number);
            room.Commit(length);
            return;
        }

        byte[] bytes = RingMessage.Create(number, ring.MaxMessageLength);
        if (number % 4 != 1 || !ring.TryWrite(bytes))
        {
            ring.Write(bytes);
        }
    }

    private static void ReadOne(SharedRing ring, int way, Action<ReadOnlySpan<byte>> take)
    {
        if (way % 2 == 0)
        {
            if (way % 4 != 0 || !ring.TryBeginRead(out SharedMessage message))
            {
                message = ring.BeginRead();
            }

            take(message.Span);
            message.Pass();
            return;
        }

        byte[] bytes = new byte[ring.MaxMessageLength];
        if (way % 4 != 1 || !ring.TryRead(bytes, out int length))
        {
            length = ring.Read(bytes);
        }

        take(bytes.AsSpan(0, length));
    }

    private static void Verify(SharedRing ring, ReadOnlySpan<byte> message, ulong number)
    {
        if (!RingMessage.Is(message, number, ring.MaxMessageLength))
        {
            throw new InvalidDataException($"Not message {number:x}, but {message.Length} bytes, {RingMessage.Told(message):x}.");
        }
    }

    /// <summary>Of a length about which the other side goes to sleep, most often.</summary>
    internal static void Pause(Random? random)
    {
        if (random is null)
        {
            return;
        }

        if (random.Next(100) == 0)
        {
            Thread.Sleep(random.Next(3));
            return;
        }

        long until = Stopwatch.GetTimestamp() + (random.Next(60_000) * Stopwatch.Frequency / 1_000_000_000);
        while (Stopwatch.GetTimestamp() < until)
        {
            Thread.SpinWait(1);
        }
    }
}
