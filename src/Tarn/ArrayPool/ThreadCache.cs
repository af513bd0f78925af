using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One thread's free buffers, of all pools: a section for each pool the thread used.</summary>
/// <remarks>
/// <para>The fast path reads two thread-local words: the address of the directory and its length. A pool's index picks the address of
/// its section there, and a class's index picks the entry. Words rather than references, because a thread-local reference takes three
/// more dependent loads; the class has no static constructor for the same reason.</para>
/// <para>Nothing runs when a thread ends. Caches are registered with their thread; a new thread takes over a dead one's cache as it is,
/// and <see cref="SweepDeadThreads"/>, called by the clock, gives what is left of dead threads to the depots.</para>
/// </remarks>
internal sealed class ThreadCache
{
    /// <summary>
    /// Held while what dead threads left moves from their sections to the depots and counters: who sums both, or wants everything that
    /// is idle, holds it as well, or would miss what is on its way. Taken before <see cref="s_lock"/> and any section's lock.
    /// </summary>
    internal static readonly Lock Inheritance = new();

    private static readonly Lock s_lock = new();
    private static readonly List<ThreadCache> s_all = [];

    /// <summary>The sections, indexed by pool; only the owner adds, under the lock that readers take.</summary>
    private readonly List<CacheSection?> _sections = [];
    private Thread _owner = Thread.CurrentThread;
    private nint[] _directory = GC.AllocateArray<nint>(0, pinned: true);

    /// <summary>This thread's cache.</summary>
    internal static ThreadCache Current => Local.Cache ?? Create();

    /// <summary>Every section that serves <paramref name="pool"/> now.</summary>
    internal static List<CacheSection> SectionsOf(PoolCore pool)
    {
        List<CacheSection> found = [];
        lock (s_lock)
        {
            foreach (ThreadCache cache in s_all)
            {
                if (pool.Index < cache._sections.Count && cache._sections[pool.Index] is { } section && section.Pool == pool)
                {
                    found.Add(section);
                }
            }
        }

        return found;
    }

    /// <summary>Gives up what threads that have ended left behind.</summary>
    internal static void SweepDeadThreads()
    {
        lock (Inheritance)
        {
            List<ThreadCache> dead;
            lock (s_lock)
            {
                dead = s_all.FindAll(static cache => !cache._owner.IsAlive);
                if (dead.Count == 0)
                {
                    return;
                }

                s_all.RemoveAll(dead.Contains);
            }

            foreach (ThreadCache cache in dead)
            {
                foreach (CacheSection? section in cache._sections)
                {
                    section?.Pool?.AdoptSection(section);
                }
            }
        }
    }

    /// <summary>The section of <paramref name="pool"/> in this thread's cache, made at the first use.</summary>
    internal CacheSection SectionOf(PoolCore pool)
    {
        if (pool.Index < _sections.Count && _sections[pool.Index] is { } section)
        {
            if (section.Pool != pool)
            {
                // The index served a pool that is gone; its section was emptied then and begins anew.
                lock (s_lock)
                {
                    section.Pool = pool;
                }
            }

            return section;
        }

        return AddSection(pool);
    }

    /// <summary>A cache for this thread: that of a thread that ended, with all it holds, or else a new one.</summary>
    private static ThreadCache Create()
    {
        ThreadCache? cache;
        lock (s_lock)
        {
            cache = s_all.Find(static other => !other._owner.IsAlive);
            if (cache is null)
            {
                cache = new ThreadCache();
                s_all.Add(cache);
            }

            cache._owner = Thread.CurrentThread;
        }

        Local.Cache = cache;
        cache.Publish();
        return cache;
    }

    private CacheSection AddSection(PoolCore pool)
    {
        CacheSection section = new() { Pool = pool };
        lock (s_lock)
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
