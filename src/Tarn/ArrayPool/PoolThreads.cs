namespace Tarn;

/// <summary>Every thread's sections of array pools.</summary>
internal static class PoolThreads
{
    internal static readonly ThreadDirectory<CacheSection, Words> Directory = new(CacheSection.Empty.Address);

    /// <summary>The uses of a thread, and of a pool, after which the thread gets a section of the pool.</summary>
    private const int UsesBeforeSection = 4;

    /// <summary>The threads of a busy process whose caches a pool of pinned arrays prepares.</summary>
    private static readonly int s_busyThreads = Math.Clamp(4 * Environment.ProcessorCount, 16, 128);

    /// <summary>Allocates pinned memory for the caches of threads to come, for a pool whose arrays are pinned too.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for all of them.</exception>
    internal static void Reserve()
    {
        ThreadDirectory<CacheSection, Words>.Reserve(s_busyThreads);
        CacheSection.Reserve(s_busyThreads);
    }

    /// <summary>Returns this thread's section for the pool at the index. Null if it has none, or has not joined the directory.</summary>
    internal static CacheSection? Find(int index) => Local.Directory != 0 ? Directory.Find(index) : null;

    /// <summary>Counts a use of a pool for which this thread has no section. Returns whether it is due to have one.</summary>
    /// <param name="usesOfPool">The number of such uses of the pool. Threads that count at once may lose some.</param>
    /// <remarks>
    /// A section costs more than some visits to the depots, which serve the first uses of a thread, and those of a pool. Without one the
    /// thread does not join the directory either: for that, it needs its <see cref="Thread"/>, which is in thread-local storage, and the
    /// first reference there costs more than the rest of the thread's first rent.
    /// </remarks>
    internal static bool CountUse(ref int usesOfPool) => Count(ref Local.Uses) & Count(ref usesOfPool);

    private static bool Count(ref int uses) => uses >= UsesBeforeSection || ++uses >= UsesBeforeSection;

    /// <summary>The thread-local words. The class has no static constructor, because each access would test whether it has run.</summary>
    internal static class Local
    {
        /// <summary>The address of the directory, which holds one section's address for each pool's index.</summary>
        [ThreadStatic]
        internal static nint Directory;

        /// <summary>The address of the entry that served the last rent, or 0. Most returns undo the last rent.</summary>
        [ThreadStatic]
        internal static nint Last;

        /// <summary>The uses of pools while the thread had no section for them.</summary>
        [ThreadStatic]
        internal static int Uses;
    }

    /// <inheritdoc/>
    internal readonly struct Words : IThreadWords
    {
        public static nint Directory
        {
            get => Local.Directory;
            set => Local.Directory = value;
        }

        public static void Forget() => Local.Last = 0;
    }
}
