using System.Runtime.InteropServices;

namespace Tarn.Lab.Counted;

/// <summary>
/// What all threads did to memory that other threads write, since the last <see cref="Restart"/>. Each thread counts for itself, so that
/// counting adds no contention.
/// </summary>
public static class Counts
{
    /// <summary>Cache lines are told apart by this many bits of their address. Two lines rarely share an entry.</summary>
    private const int LineBits = 20;

    private const int LineShift = 6;

    private static readonly System.Threading.Lock s_lock = new();
    private static readonly List<Dictionary<string, Count>> s_threads = [];

    /// <summary>The thread that last changed a word of each line.</summary>
    private static readonly int[] s_lastWriter = new int[1 << LineBits];

    [ThreadStatic]
    private static Dictionary<string, Count>? t_counts;

    /// <summary>Forgets everything. No other thread may use the counted library meanwhile.</summary>
    public static void Restart()
    {
        foreach (Dictionary<string, Count> counts in s_threads)
        {
            counts.Clear();
        }

        CountedLock.RestartAll();
    }

    /// <summary>
    /// Returns the counts by the name of the file that holds the lock or performs the operation. As for <see cref="Restart"/>.
    /// </summary>
    public static IReadOnlyDictionary<string, Count> Read()
    {
        Dictionary<string, Count> all = [];
        foreach ((string place, Count count) in s_threads.SelectMany(static counts => counts))
        {
            string name = Path.GetFileNameWithoutExtension(place);
            all[name] = all.GetValueOrDefault(name).Plus(count);
        }

        foreach ((string place, long most) in CountedLock.BusiestByPlace())
        {
            string name = Path.GetFileNameWithoutExtension(place);
            all[name] = all.GetValueOrDefault(name) with { BusiestLock = most };
        }

        return all;
    }

    internal static void NoteLock(string place, bool isForeign, bool isContended)
    {
        ref Count count = ref Of(place);
        count = count with
        {
            Locks = count.Locks + 1,
            ForeignLines = count.ForeignLines + (isForeign ? 1 : 0),
            HeldLocks = count.HeldLocks + (isContended ? 1 : 0),
        };
    }

    internal static void NoteFence(string place)
    {
        ref Count count = ref Of(place);
        count = count with { Fences = count.Fences + 1 };
    }

    internal static unsafe void NoteInterlocked(string place, void* address)
    {
        ref int lastWriter = ref s_lastWriter[(int)((nuint)address >> LineShift) & ((1 << LineBits) - 1)];
        int me = Environment.CurrentManagedThreadId;
        bool isForeign = lastWriter != 0 && lastWriter != me;
        lastWriter = me;
        ref Count count = ref Of(place);
        count = count with { Interlocked = count.Interlocked + 1, ForeignLines = count.ForeignLines + (isForeign ? 1 : 0) };
    }

    private static ref Count Of(string place)
    {
        t_counts ??= Create();
        return ref CollectionsMarshal.GetValueRefOrAddDefault(t_counts, place, out _);
    }

    private static Dictionary<string, Count> Create()
    {
        Dictionary<string, Count> counts = [];
        lock (s_threads)
        {
            s_threads.Add(counts);
        }

        return counts;
    }
}
