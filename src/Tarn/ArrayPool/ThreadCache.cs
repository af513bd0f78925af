using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One thread's free buffers, of all pools: a section for each pool the thread used.</summary>
/// <remarks>
/// <para>The fast path reads two thread-local words: the address of the directory and its length. A pool's index picks the address of
/// its section there, and a class's index picks the entry. Words rather than references, because a thread-local reference takes three
/// more dependent loads; the class has no static constructor for the same reason.</para>
/// <para>When a thread ends, a new one takes its cache over (<see cref="ThreadRegistry{T}"/>), or the clock gives what is in it to the
/// depots.</para>
/// </remarks>
internal sealed class ThreadCache
{
    private static readonly ThreadRegistry<ThreadCache> s_threads = new(static () => new ThreadCache());

    /// <summary>The sections, indexed by pool; only the owner adds, under the lock that readers take.</summary>
    private readonly List<CacheSection?> _sections = [];
    private nint[] _directory = GC.AllocateArray<nint>(0, pinned: true);

    /// <summary>Held while what dead threads left moves from their sections to the depots and counters.</summary>
    internal static Lock Inheritance => s_threads.Inheritance;

    /// <summary>This thread's cache.</summary>
    internal static ThreadCache Current => Local.Cache ?? Create();

    /// <summary>Every section that serves <paramref name="pool"/> now.</summary>
    internal static List<CacheSection> SectionsOf(PoolCore pool)
    {
        List<CacheSection> found = [];
        s_threads.ForEach(cache =>
        {
            if (cache.FindSection(pool.Index) is { } section && section.Pool == pool)
            {
                found.Add(section);
            }
        });
        return found;
    }

    /// <summary>Gives up what threads that have ended left behind.</summary>
    internal static void SweepDeadThreads() =>
        s_threads.Sweep(static cache => cache._sections.ForEach(static section => section?.Pool?.AdoptSection(section)));

    /// <summary>The section of <paramref name="pool"/> in this thread's cache, made at the first use.</summary>
    internal CacheSection SectionOf(PoolCore pool)
    {
        if (FindSection(pool.Index) is { } section)
        {
            if (section.Pool != pool)
            {
                // The index served a pool that is gone; its section was emptied then and begins anew.
                lock (s_threads.Sync)
                {
                    section.Pool = pool;
                }
            }

            return section;
        }

        return AddSection(pool);
    }

    private static ThreadCache Create()
    {
        ThreadCache cache = s_threads.Join();
        Local.Cache = cache;
        cache.Publish();
        return cache;
    }

    private CacheSection? FindSection(int index) => index < _sections.Count ? _sections[index] : null;

    private CacheSection AddSection(PoolCore pool)
    {
        CacheSection section = new() { Pool = pool };
        lock (s_threads.Sync)
        {
            while (_sections.Count <= pool.Index)
            {
                _sections.Add(null);
            }

            _sections[pool.Index] = section;
        }

        if (_directory.Length <= pool.Index)
        {
            // Growing leaves the old directory to the collector: only this thread reads it, and it reads the new one from now on.
            nint[] grown = GC.AllocateUninitializedArray<nint>(Math.Max(8, (pool.Index + 1) * 2), pinned: true);
            grown.AsSpan().Fill(CacheSection.Empty.Address);
            _directory.CopyTo(grown, 0);
            _directory = grown;
        }

        _directory[pool.Index] = section.Address;
        Publish();
        return section;
    }

    /// <summary>Tells the fast path of this thread where the directory is.</summary>
    private unsafe void Publish()
    {
        Local.Directory = (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_directory));
        Local.Length = _directory.Length;
    }

    /// <summary>The thread-local words. Zero until a thread first takes the slow path.</summary>
    internal static class Local
    {
        /// <summary>The address of the directory: one section's address for each pool index.</summary>
        [ThreadStatic]
        internal static nint Directory;

        /// <summary>The address of the entry that served the last rent, 0 when there is none: most returns undo the last rent.</summary>
        [ThreadStatic]
        internal static nint Last;

        /// <summary>Pool indices below it have an address in the directory.</summary>
        [ThreadStatic]
        internal static int Length;

        [ThreadStatic]
        internal static ThreadCache? Cache;
    }
}
