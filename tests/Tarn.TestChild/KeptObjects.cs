using System.Diagnostics.Tracing;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.TestChild;

/// <summary>
/// A program that keeps known amounts of objects at known places, moves them, pins them and drops others, for tools that follow objects
/// from collection to collection. It begins when someone samples it, writes each place with the bytes that it keeps, and ends with its
/// input.
/// </summary>
internal static class KeptObjects
{
    private const int Kilobyte = 1 << 10;
    private const int Megabyte = 1 << 20;
    private const int ObjectHeader = 24;
    private const int Much = 96;
    private const EventKeywords Sampling = (EventKeywords)0x800_0000_0000;

    private static readonly List<object> s_kept = [];
    private static readonly List<(string Place, long Bytes)> s_places = [];

    public static void Run(string[] arguments)
    {
        Console.WriteLine("ready");
        EventSource runtime = EventSource.GetSources().First(one => one.Name == "Microsoft-Windows-DotNETRuntime");
        SpinWait.SpinUntil(() => runtime.IsEnabled(EventLevel.Informational, Sampling));

        Keep(KeepSmall());
        Keep(KeepLarge());
        Keep(KeepPinnedHeap());
        Keep(KeepAmongGarbage());
        Keep(KeepInPlace());
        DropLarge();
        DropOld();
        CollectInBackground();

        // Some live through a collection in the background and die in another.
        Keep(KeepThroughBackground());
        CollectInBackground();
        GC.Collect();
        Keep(KeepLast());
        foreach ((string place, long bytes) in s_places)
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{place} {bytes}"));
        }

        Console.WriteLine("done");
        _ = Console.ReadLine();
        GC.KeepAlive(s_kept);
    }

    private static void Keep(object kept) => s_kept.Add(kept);

    private static void Tell(int count, int length, [CallerMemberName] string place = "") =>
        s_places.Add((place, (long)count * (length + ObjectHeader)));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] KeepSmall()
    {
        byte[][] all = new byte[Much * Kilobyte][];
        for (int index = 0; index < all.Length; index++)
        {
            all[index] = new byte[Kilobyte];
        }

        Tell(all.Length, Kilobyte);
        return all;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] KeepLarge()
    {
        byte[][] all = new byte[Much][];
        for (int index = 0; index < all.Length; index++)
        {
            all[index] = new byte[Megabyte];
        }

        Tell(all.Length, Megabyte);
        return all;
    }

    /// <summary>Arrays on the heap of pinned objects, of which every second is dropped.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] KeepPinnedHeap()
    {
        byte[][] all = new byte[2 * Much * Kilobyte / 16][];
        for (int index = 0; index < all.Length; index++)
        {
            all[index] = GC.AllocateArray<byte>(16 * Kilobyte, pinned: true);
        }

        Tell(all.Length / 2, 16 * Kilobyte);
        return [.. all.Where((_, index) => index % 2 == 0)];
    }

    /// <summary>Every fourth of many arrays, which collections that compact then move over the others.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] KeepAmongGarbage()
    {
        byte[][] all = new byte[4 * Much * Kilobyte / 2][];
        for (int index = 0; index < all.Length; index++)
        {
            all[index] = new byte[2 * Kilobyte];
        }

        byte[][] kept = [.. all.Where((_, index) => index % 4 == 0)];
        Tell(kept.Length, 2 * Kilobyte);
        for (int turn = 0; turn < 2; turn++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
        }

        return kept;
    }

    /// <summary>Arrays that are pinned while young, so that a collection neither moves nor always promotes them.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<GCHandle> KeepInPlace()
    {
        List<GCHandle> kept = [];
        for (int index = 0; index < 4 * Much * Kilobyte / 4; index++)
        {
            byte[] array = new byte[4 * Kilobyte];
            if (index % 4 == 0)
            {
                kept.Add(GCHandle.Alloc(array, GCHandleType.Pinned));
            }

            if (index % 2_048 == 0)
            {
                GC.Collect(index / 2_048 % 2);
            }
        }

        Tell(kept.Count, 4 * Kilobyte);
        return kept;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropLarge()
    {
        for (int index = 0; index < Much; index++)
        {
            _ = KeepAlive(new byte[Megabyte]);
        }

        Tell(0, Megabyte);
    }

    /// <summary>Arrays that grow old before they die.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropOld()
    {
        byte[][] all = new byte[Much * Kilobyte / 8][];
        for (int index = 0; index < all.Length; index++)
        {
            all[index] = new byte[8 * Kilobyte];
        }

        GC.Collect();
        GC.Collect();
        _ = KeepAlive(all);
        Tell(0, 8 * Kilobyte);
    }

    /// <summary>Half of what is old when a collection in the background begins; the others die before it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] KeepThroughBackground()
    {
        byte[][] all = new byte[2 * Much * Kilobyte / 8][];
        for (int index = 0; index < all.Length; index++)
        {
            all[index] = new byte[8 * Kilobyte];
        }

        GC.Collect();
        GC.Collect();
        Tell(all.Length / 2, 8 * Kilobyte);
        return [.. all.Where((_, index) => index % 2 == 0)];
    }

    /// <summary>What no collection of the program looks at.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[][] KeepLast()
    {
        byte[][] all = new byte[Much / 2][];
        for (int index = 0; index < all.Length; index++)
        {
            all[index] = new byte[2 * Megabyte];
        }

        Tell(all.Length, 2 * Megabyte);
        return all;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object KeepAlive(object kept) => kept;

    /// <summary>Collects in the background if that is on, while arrays are allocated that young collections take meanwhile.</summary>
    private static void CollectInBackground()
    {
        long before = Ended();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: false);
        while (Ended() == before)
        {
            _ = KeepAlive(new byte[10 * Kilobyte]);
        }
    }

    private static long Ended() => GC.GetGCMemoryInfo(GCKind.Background).Index + GC.GetGCMemoryInfo(GCKind.FullBlocking).Index;
}
