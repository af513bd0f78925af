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

    private static readonly List<Dictionary<string, Count>> s_threads = [];

    /// <summary>The thread that last changed a word of each line.</summary>
    private static readonly int[] s_lastWriter = new int[1 << LineBits];

    [ThreadStatic]
    private static Dictionary<string, Count>? t_counts;

    /// <summary>Forgets everything. What other threads do meanwhile is forgotten or counted.</summary>
    public static void Restart()
    {
        foreach (Dictionary<string, Count> counts in Threads())
        {
            lock (counts)
            {
                counts.Clear();
            }
        }

        CountedLock.RestartAll();
    }

    /// <summary>
    /// Returns the counts by the name of the file that holds the lock or performs the operation. What other threads do meanwhile is counted
    /// or not.
    /// </summary>
    public static IReadOnlyDictionary<string, Count> Read()
    {
        Dictionary<string, Count> all = [];
        foreach (Dictionary<string, Count> counts in Threads())
        {
            AddTo(all, counts);
        }

        foreach ((string place, long most) in CountedLock.BusiestByPlace())
        {
            string name = Path.GetFileNameWithoutExtension(place);
            all[name] = all.GetValueOrDefault(name) with { BusiestLock = most };
        }

        return all;
    }

    /// <summary>Returns what this thread alone did: the clock's thread may tick pools at any time.</summary>
    public static IReadOnlyDictionary<string, Count> ReadThisThread()
    {
        Dictionary<string, Count> own = [];
        AddTo(own, t_counts ?? []);
        return own;
    }

    internal static void NoteLock(string place, bool isForeign, bool isContended) =>
        Add(place, new Count { Locks = 1, ForeignLines = isForeign ? 1 : 0, HeldLocks = isContended ? 1 : 0 });

    internal static void NoteFence(string place) => Add(place, new Count { Fences = 1 });

    internal static unsafe void NoteInterlocked(string place, void* address)
    {
        ref int lastWriter = ref s_lastWriter[(int)((nuint)address >> LineShift) & ((1 << LineBits) - 1)];
        int me = Environment.CurrentManagedThreadId;
        bool isForeign = lastWriter != 0 && lastWriter != me;
        lastWriter = me;
        Add(place, new Count { Interlocked = 1, ForeignLines = isForeign ? 1 : 0 });
    }

    private static void Add(string place, Count more)
    {
        Dictionary<string, Count> counts = t_counts ??= Create();
        lock (counts)
        {
            ref Count count = ref CollectionsMarshal.GetValueRefOrAddDefault(counts, place, out _);
            count = count.Plus(more);
        }
    }

    private static void AddTo(Dictionary<string, Count> all, Dictionary<string, Count> counts)
    {
        lock (counts)
        {
            foreach ((string place, Count count) in counts)
            {
                string name = Path.GetFileNameWithoutExtension(place);
                all[name] = all.GetValueOrDefault(name).Plus(count);
            }
        }
    }

    private static Dictionary<string, Count>[] Threads()
    {
        lock (s_threads)
        {
            return [.. s_threads];
        }
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
