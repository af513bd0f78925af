using System.Collections.Concurrent;

namespace Tarn;

/// <summary>Every thread's sections of native heaps.</summary>
internal static class HeapThreads
{
    internal static readonly ThreadDirectory<HeapSection, Words> Directory = new(HeapSection.Empty.Address);

    /// <summary>Heaps that took over the memory of ended threads, and must give up slabs and large buffers once no lock is held.</summary>
    private static readonly ConcurrentQueue<HeapCore> s_heirs = new();

    /// <summary>Held while memory of ended threads moves to the slabs and counters.</summary>
    internal static Lock Inheritance => Directory.Inheritance;

    internal static void AddHeir(HeapCore heir) => s_heirs.Enqueue(heir);

    /// <summary>Makes heaps give up the memory they took over from ended threads. The caller must hold no lock.</summary>
    internal static void ReleaseInherited()
    {
        while (s_heirs.TryDequeue(out HeapCore? heir))
        {
            heir.ReleaseInherited();
        }
    }

    /// <summary>
    /// The thread-local words, in a class without a static constructor: with one, each access would test whether it has run.
    /// </summary>
    internal static class Local
    {
        /// <summary>The address of the directory: one section's address for each heap's index.</summary>
        [ThreadStatic]
        internal static nint Directory;
    }

    /// <inheritdoc/>
    internal readonly struct Words : IThreadWords
    {
        public static nint Directory
        {
            get => Local.Directory;
            set => Local.Directory = value;
        }

        public static void Forget()
        {
        }
    }
}
