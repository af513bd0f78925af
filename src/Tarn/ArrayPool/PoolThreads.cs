namespace Tarn;

/// <summary>Every thread's sections of array pools.</summary>
internal static class PoolThreads
{
    internal static readonly ThreadDirectory<CacheSection, Words> Directory = new(CacheSection.Empty.Address);

    /// <summary>The thread-local words, in a class without a static constructor: with one, each access would test whether it has run.</summary>
    internal static class Local
    {
        /// <summary>The address of the directory: one section's address for each pool's index.</summary>
        [ThreadStatic]
        internal static nint Directory;

        /// <summary>The address of the entry that served the last rent, 0 when there is none: most returns undo the last rent.</summary>
        [ThreadStatic]
        internal static nint Last;

        [ThreadStatic]
        internal static object? Sections;
    }

    /// <inheritdoc/>
    internal readonly struct Words : IThreadWords
    {
        public static nint Directory
        {
            get => Local.Directory;
            set => Local.Directory = value;
        }

        public static object? Sections
        {
            get => Local.Sections;
            set => Local.Sections = value;
        }

        public static void Forget() => Local.Last = 0;
    }
}
