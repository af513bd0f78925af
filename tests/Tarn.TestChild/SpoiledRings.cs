using System.Diagnostics;
using System.Globalization;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// One side of rings whose memory another process overwrites. Every tenth of a second has a ring of its own, by its number since the
/// machine started, so that processes meet there without a word. Arguments: what the rings' names begin with, "writer" or "reader", the
/// seed, and how long in milliseconds.
/// </summary>
/// <remarks>As with <see cref="HostileRing"/>, what is not documented ends the process, and so does a call that hangs.</remarks>
internal static class SpoiledRings
{
    private const int MillisecondsOfRing = 100;

    private static long s_messages;
    private static long s_wrong;

    /// <summary>The name of the ring of this moment.</summary>
    internal static string NameNow(string prefix) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}-{Environment.TickCount64 / MillisecondsOfRing}");

    internal static void Run(string[] arguments)
    {
        bool writes = arguments[1] == "writer";
        Random random = new(int.Parse(arguments[2], CultureInfo.InvariantCulture));
        int milliseconds = int.Parse(arguments[3], CultureInfo.InvariantCulture);
        HostileRing.StartWatch();
        for (Stopwatch elapsed = Stopwatch.StartNew(); elapsed.ElapsedMilliseconds < milliseconds;)
        {
            HostileRing.Repeat(random, 1, random => UseOne(NameNow(arguments[0]), writes, random));
        }

        (long calls, long refused) = HostileRing.Counts;
        Console.WriteLine($"survived {calls} {refused} {s_messages} {s_wrong}");
    }

    /// <summary>Opens the ring, or makes it, for some calls.</summary>
    private static void UseOne(string name, bool writes, Random random)
    {
        SharedRing ring;
        try
        {
            ring = random.Next(2) == 0
                ? SharedRing.Create(name, 64 << random.Next(6), new SharedRegionOptions { DeleteOnDispose = false })
                : SharedRing.Open(name);
        }
        catch (IOException)
        {
            // The other side was first, or made none yet.
            return;
        }

        using (ring)
        {
            HostileRing.Repeat(random, random.Next(1, 200), random => Call(ring, writes, random));
        }
    }

    private static void Call(SharedRing ring, bool writes, Random random)
    {
        if (writes)
        {
            Write(ring, random);
        }
        else
        {
            Read(ring, random);
        }
    }

    /// <summary>All bytes of a message are the same.</summary>
    private static void Write(SharedRing ring, Random random)
    {
        using CancellationTokenSource soon = new(5);
        int length = random.Next(1, ring.MaxMessageLength + 1);
        byte value = (byte)random.Next(256);
        if (random.Next(2) == 0)
        {
            byte[] message = new byte[length];
            Array.Fill(message, value);
            ring.Write(message, soon.Token);
        }
        else
        {
            using SharedRoom room = ring.BeginWrite(length, soon.Token);
            room.Span.Fill(value);
            room.Commit(length);
        }
    }

    private static void Read(SharedRing ring, Random random)
    {
        using CancellationTokenSource soon = new(5);
        byte[] copy = new byte[ring.MaxMessageLength];
        int length;
        if (random.Next(2) == 0)
        {
            length = ring.Read(copy, soon.Token);
        }
        else
        {
            using SharedMessage message = ring.BeginRead(soon.Token);
            message.Span.CopyTo(copy);
            length = message.Span.Length;
            message.Pass();
        }

        s_messages++;
        s_wrong += length == 0 || copy.AsSpan(0, length).ContainsAnyExcept(copy[0]) ? 1 : 0;
    }
}
