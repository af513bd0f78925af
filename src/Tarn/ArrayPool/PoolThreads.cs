namespace Tarn;

/// <summary>Every thread's sections of array pools.</summary>
internal static class PoolThreads
{
    internal static readonly ThreadDirectory<CacheSection, Words> Directory = new(CacheSection.Empty.Address);

    /// <summary>This thread's section for the pool at the index; null when it has none, or has not joined the directory.</summary>
    internal static CacheSection? Find(int index) => Local.Directory != 0 ? Directory.Find(index) : null;

    /// <summary>Counts a use of a pool that this thread has no section for.</summary>
    /// <remarks>
    /// A thread that has not joined the directory does not join it for that, and counts its uses of all pools together: to join, a thread
    /// asks for its <see cref="Thread"/>, which is kept in thread-local storage, and the first reference there costs a thread more than
    /// all else that its first rent does.
    /// </remarks>
    /// <returns>The uses so far, this one included.</returns>
    internal static int CountUse(int index) => Local.Directory != 0 ? Directory.CountUse(index) : ++Local.Uses;

    /// <summary>
    /// The thread-local words, in a class without a static constructor: with one, each access would test whether it has run.
    /// </summary>
    internal static class Local
    {
        /// <summary>The address of the directory: one section's address for each pool's index.</summary>
        [ThreadStatic]
        internal static nint Directory;

        /// <summary>The address of the entry that served the last rent, 0 when there is none: most returns undo the last rent.</summary>
        [ThreadStatic]
        internal static nint Last;

        /// <summary>Uses of pools before the thread joined the directory.</summary>
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
