using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Native;

/// <summary>Every thread's sections of native heaps.</summary>
internal static class HeapThreads
{
    internal static readonly ThreadDirectory<HeapSection, Words> Directory = new(HeapSection.Empty.Address);

    /// <summary>The directory of a thread that has none: the empty section at every index. Never written.</summary>
    private static readonly nint[] s_none = CreateNone();

    /// <summary>The address of the directory of a thread that has none.</summary>
    internal static nint None { get; } = Address(s_none);

    /// <summary>Heaps that took over the memory of ended threads, and must give up slabs and large buffers once no lock is held.</summary>
    private static readonly ConcurrentQueue<HeapCore> s_heirs = new();

    /// <summary>Held while memory of ended threads moves to the slabs and counters.</summary>
    internal static Lock Inheritance => Directory.Inheritance;

    /// <summary>Notes a heap that took over memory. Without memory for the note, the heap's own next tick gives it up.</summary>
    internal static void AddHeir(HeapCore heir)
    {
        try
        {
            s_heirs.Enqueue(heir);
        }
        catch (OutOfMemoryException)
        {
        }
    }

    /// <summary>Makes heaps give up the memory they took over from ended threads. The caller must hold no lock.</summary>
    internal static void ReleaseInherited()
    {
        while (s_heirs.TryDequeue(out HeapCore? heir))
        {
            heir.Trimmer.ReleaseInherited();
        }
    }

    private static nint[] CreateNone()
    {
        nint[] none = GC.AllocateUninitializedArray<nint>(ThreadDirectory<HeapSection, Words>.SlotCount, pinned: true);
        none.AsSpan().Fill(HeapSection.Empty.Address);
        return none;
    }

    private static unsafe nint Address(nint[] pinned) => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(pinned));

    /// <summary>
    /// The thread-local words, in a class without a static constructor: with one, each access would test whether it has run.
    /// </summary>
    internal static class Local
    {
        /// <summary>
        /// The address of the thread's directory (one section's address for each heap's index) less <see cref="None"/>. So a thread without
        /// a directory, whose word is 0, finds the empty section without a test.
        /// </summary>
        [ThreadStatic]
        internal static nint Directory;
    }

    /// <inheritdoc/>
    internal readonly struct Words : IThreadWords
    {
        public static nint Directory
        {
            get => Local.Directory == 0 ? 0 : Local.Directory + None;
            set => Local.Directory = value - None;
        }

        public static void Forget()
        {
        }
    }
}
