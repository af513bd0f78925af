using System.Diagnostics;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// A ring between guard pages whose header and records another process would change to whatever it likes: before it is used, between calls,
/// and during them. Arguments: "before" or "during", the seed, and how long in milliseconds.
/// </summary>
/// <remarks>
/// Calls may give wrong messages and documented exceptions. Anything else ends the process: a fault by itself, an exception that is not
/// documented because nobody catches it, a call that hangs because a watchdog does.
/// </remarks>
internal static unsafe class HostileRing
{
    private static readonly TimeSpan s_hang = TimeSpan.FromSeconds(30);

    internal static readonly ulong[] s_values =
    [
        0, 1, 7, 8, 16, 63, 64, 72, 128, 0x7FFFFFF8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0xFFFFFFFF, 1UL << 32, 1UL << 62, (1UL << 62) + 8,
        long.MaxValue, long.MaxValue - 7, 1UL << 63, ulong.MaxValue, ulong.MaxValue - 7,
    ];

    private static long s_calls;
    private static long s_refused;

    /// <summary>Calls so far, and those of them that threw what is documented.</summary>
    internal static (long Calls, long Refused) Counts => (Interlocked.Read(ref s_calls), Interlocked.Read(ref s_refused));

    internal static void Run(string[] arguments)
    {
        bool isDuring = arguments[0] == "during";
        Random random = new(int.Parse(arguments[1]));
        StartWatch();
        for (Stopwatch elapsed = Stopwatch.StartNew(); elapsed.ElapsedMilliseconds < int.Parse(arguments[2]);)
        {
            UseOne(random, isDuring);
        }

        Console.WriteLine($"survived {s_calls} {s_refused}");
    }

    /// <summary>A ring for some calls: as many as the wrong header lets through.</summary>
    private static void UseOne(Random random, bool isDuring)
    {
        GuardedNames names = new(isEndGuarded: random.Next(2) == 0);
        using SharedRing ring =
            SharedRing.Create(names, "hostile", 64 << random.Next(4), new SharedRegionOptions { DeleteOnDispose = false });
        byte* header = (byte*)ring.Header;
        int size = (int)RingHeader.RegionSize(ring.Capacity);
        if (random.Next(4) > 0)
        {
            Spoil(header, size, ring.Capacity, random);
        }

        int seed = random.Next();
        bool isOver = false;
        Thread spoiler = new(() =>
        {
            Random other = new(seed + 1);
            while (isDuring && !Volatile.Read(ref isOver))
            {
                Spoil(header, size, ring.Capacity, other);
            }
        });
        bool isDisposedMeanwhile = random.Next(4) == 0;
        Thread writer = new(() => Repeat(new Random(seed + 2), 25, random => Write(ring, random, isDisposedMeanwhile)));
        Thread reader = new(() => Repeat(new Random(seed + 3), 25, random => Read(ring, random, isDisposedMeanwhile)));
        Thread[] sides = [writer, reader];
        spoiler.Start();
        Array.ForEach(sides, static thread => thread.Start());
        if (!isDuring)
        {
            for (int i = random.Next(20); i > 0; i--)
            {
                Spoil(header, size, ring.Capacity, random);
                Thread.SpinWait(random.Next(2000));
            }
        }

        if (isDisposedMeanwhile)
        {
            // The spoiling thread continues while the ring waits for both sides to leave. It must have stopped before the memory is
            // unmapped.
            Thread.SpinWait(random.Next(5000));
            Volatile.Write(ref isOver, true);
            spoiler.Join();
            ring.Dispose();
        }

        Array.ForEach(sides, static thread => thread.Join());
        Volatile.Write(ref isOver, true);
        spoiler.Join();
    }

    /// <summary>One field or record's length gets another value, likely or not.</summary>
    internal static void Spoil(byte* header, int size, int capacity, Random random)
    {
        ulong value = random.Next(4) switch
        {
            0 => (ulong)random.NextInt64(long.MinValue, long.MaxValue),
            1 => (ulong)random.Next(capacity * 4),
            2 => (ulong)(random.Next(capacity / 4) * 8),
            _ => s_values[random.Next(s_values.Length)],
        };
        switch (random.Next(12))
        {
            case 0:
                *(ulong*)(header + 0) = random.Next(2) == 0 ? RoleHolder.Mine.Value : value;
                break;
            case 1:
                *(ulong*)(header + 8) = random.Next(2) == 0 ? RoleHolder.Mine.Value : value;
                break;
            case 2:
                ((RingHeader*)header)->Namespace = random.Next(2) == 0 ? ProcessIdentity.Namespace : (uint)value;
                ((RingHeader*)header)->HasManyKernels = (uint)random.Next(2);
                break;
            case 3:
                ((RingHeader*)header)->WritePosition = (long)value;
                break;
            case 4:
                ((RingHeader*)header)->ReadPosition = (long)value;
                break;
            case 5:
                ((RingHeader*)header)->WritePosition += (long)value;
                break;
            case 6:
                // Both alike: positions that agree with each other, wherever they are.
                ((RingHeader*)header)->WritePosition = (long)value;
                ((RingHeader*)header)->ReadPosition = (long)value;
                break;
            case 7:
                ((RingHeader*)header)->Data = new Sleeper { Signal = (uint)value, IsAsleep = (int)(value >> 32) };
                break;
            case 8:
                ((RingHeader*)header)->Space = new Sleeper { Signal = (uint)value, IsAsleep = (int)(value >> 32) };
                break;
            case 9:
                ((RingHeader*)header)->Writers = (uint)value;
                ((RingHeader*)header)->Readers = (uint)(value >> 32);
                break;
            default:
                *(int*)(header + RingHeader.Length + (random.Next((size - RingHeader.Length) / 8) * 8)) = (int)value;
                break;
        }
    }

    /// <summary>Ends the process when no call ends for long.</summary>
    internal static void StartWatch()
    {
        RingSide.MillisecondsBetweenLooks = 1;
        Thread watch = new(Watch) { IsBackground = true };
        watch.Start();
    }

    /// <summary>Makes calls, and counts those that throw what is documented; ends early when the ring was disposed.</summary>
    internal static void Repeat(Random random, int times, Action<Random> call)
    {
        for (int i = 0; i < times; i++)
        {
            Interlocked.Increment(ref s_calls);
            try
            {
                call(random);
            }
            catch (ObjectDisposedException)
            {
                return;
            }
            catch (Exception e) when (e is InvalidDataException or InvalidOperationException or SharedPeerLostException
                or OperationCanceledException)
            {
                Interlocked.Increment(ref s_refused);
            }
        }
    }

    /// <summary>Uses no spans of the ring where the ring may be disposed at the same time, because they must not be used then.</summary>
    private static void Write(SharedRing ring, Random random, bool copies)
    {
        using CancellationTokenSource soon = new(1);
        int length = random.Next(ring.MaxMessageLength + 1);
        switch (random.Next(copies ? 3 : 5))
        {
            case 0:
                _ = ring.WriterProcessId + ring.ReaderProcessId;
                break;
            case 1:
                ring.TryWrite(new byte[length]);
                break;
            case 2:
                ring.Write(new byte[length], soon.Token);
                break;
            case 3:
                if (ring.TryBeginWrite(length, out SharedRoom room))
                {
                    room.Span.Fill(0xFF);
                    room.Commit(random.Next(length + 1));
                }

                break;
            default:
                using (SharedRoom awaited = ring.BeginWrite(length, soon.Token))
                {
                    awaited.Span.Fill(0xFF);
                    awaited.Commit(length);
                }

                break;
        }
    }

    private static void Read(SharedRing ring, Random random, bool copies)
    {
        using CancellationTokenSource soon = new(1);
        byte[] bytes = new byte[ring.MaxMessageLength];
        switch (random.Next(copies ? 2 : 5))
        {
            case 0:
                ring.TryRead(bytes, out _);
                break;
            case 1:
                _ = ring.Read(bytes, soon.Token);
                break;
            case 2:
                if (ring.TryBeginRead(out SharedMessage message))
                {
                    message.Span.CopyTo(bytes);
                    message.Pass();
                }

                break;
            case 3:
                ReadAhead(ring, bytes);
                break;
            default:
                using (SharedMessage awaited = ring.BeginRead(soon.Token))
                {
                    awaited.Span.CopyTo(bytes);
                    awaited.Pass();
                }

                break;
        }
    }

    private static void ReadAhead(SharedRing ring, byte[] bytes)
    {
        try
        {
            long position = ring.ReadPosition;
            while (ring.TryReadAhead(ref position, out ReadOnlySpan<byte> message))
            {
                message.CopyTo(bytes);
            }

            ring.AdvanceTo(position);
        }
        catch (ArgumentOutOfRangeException)
        {
            // The header changed between two calls.
        }
    }

    private static void Watch()
    {
        for (long last = -1; Interlocked.Read(ref s_calls) != last;)
        {
            last = Interlocked.Read(ref s_calls);
            Thread.Sleep(s_hang);
        }

        Console.Error.WriteLine("A call hangs.");
        Environment.Exit(3);
    }
}
