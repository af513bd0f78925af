using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Tarn.TestChild;

/// <summary>
/// A program that allocates known amounts at known places, for tools that sample allocations. It writes each place with its bytes.
/// Arguments: "little" to make only arrays that are too small for a pool, "wait" to begin when someone samples it, and "long" for a hundred
/// times as much, of which what was allocated before someone samples it does not count, and for the rates of the slowest and the fastest
/// turn.
/// </summary>
internal static class KnownAllocations
{
    private const int Turns = 40;
    private const EventKeywords Sampling = (EventKeywords)0x800_0000_0000;

    private static readonly Dictionary<string, long> s_bytes = [];
    private static object? s_last;
    private static double s_slowest = double.MaxValue;
    private static double s_fastest;

    public static void Run(string[] arguments)
    {
        bool isLittle = arguments.Contains("little");
        bool isLong = arguments.Contains("long");
        EventSource runtime = EventSource.GetSources().First(one => one.Name == "Microsoft-Windows-DotNETRuntime");
        if (arguments.Contains("wait"))
        {
            Console.WriteLine("ready");
            _ = SpinWait.SpinUntil(() => runtime.IsEnabled(EventLevel.Informational, Sampling), TimeSpan.FromMinutes(1));
        }

        bool isCounted = !isLong;
        for (int turn = 0; turn < (isLong ? 100 * Turns : Turns); turn++)
        {
            if (!isCounted && runtime.IsEnabled(EventLevel.Informational, Sampling))
            {
                s_bytes.Clear();
                isCounted = true;
            }

            long bytesBefore = GC.GetAllocatedBytesForCurrentThread();
            long began = Stopwatch.GetTimestamp();

            if (isLittle)
            {
                Count(nameof(MakeSmall), MakeSmall);
                continue;
            }

            Count(nameof(MakeLarge), MakeLarge);
            Count(nameof(MakeArrays), MakeArrays);
            Count(nameof(GrowStream), GrowStream);
            Count(nameof(Encode), Encode);
            Count(nameof(CopyStream), CopyStream);
            Count(nameof(GrowList), GrowList);
            Count(nameof(MakeSmall), MakeSmall);
            double rate = (GC.GetAllocatedBytesForCurrentThread() - bytesBefore) / Stopwatch.GetElapsedTime(began).TotalSeconds;
            s_slowest = Math.Min(s_slowest, rate);
            s_fastest = Math.Max(s_fastest, rate);
        }

        if (isLong)
        {
            s_bytes["SlowestBytesPerSecond"] = (long)s_slowest;
            s_bytes["FastestBytesPerSecond"] = (long)s_fastest;
        }

        foreach ((string site, long bytes) in s_bytes.OrderByDescending(one => one.Value))
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{site} {bytes}"));
        }

        GC.KeepAlive(s_last);
    }

    private static void Count(string site, Action work)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        work();
        s_bytes[site] = s_bytes.GetValueOrDefault(site) + GC.GetAllocatedBytesForCurrentThread() - before;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MakeLarge()
    {
        for (int index = 0; index < 16; index++)
        {
            s_last = new byte[1 << 20];
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MakeArrays()
    {
        for (int index = 0; index < 1_000; index++)
        {
            s_last = new int[2_000];
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void GrowStream()
    {
        using var stream = new MemoryStream();
        for (int index = 0; index < 4_000; index++)
        {
            stream.Write("A line of some length, which the stream has to keep. "u8);
        }

        s_last = stream;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CopyStream()
    {
        using var stream = new MemoryStream(new byte[10_000], writable: false);
        for (int index = 0; index < 300; index++)
        {
            s_last = stream.ToArray();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Encode()
    {
        string text = new('x', 5_000);
        for (int index = 0; index < 400; index++)
        {
            s_last = Encoding.UTF8.GetBytes(text);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void GrowList()
    {
        for (int turn = 0; turn < 10; turn++)
        {
            List<long> list = [];
            for (int index = 0; index < 10_000; index++)
            {
                list.Add(index);
            }

            s_last = list;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MakeSmall()
    {
        for (int index = 0; index < 10_000; index++)
        {
            s_last = new byte[40];
        }
    }
}
