using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One thread's free blocks, of all heaps: a section for each heap the thread used.</summary>
/// <remarks>
/// <para>The fast path reads one thread-local word, the address of the directory, and there, at the heap's slot, the address of its
/// section. A word rather than a reference, because a thread-local reference takes three more dependent loads; its class has no static
/// constructor for the same reason. Slot 0 belongs to no heap: a heap whose calls all take the slow path has it. The directory has a
/// fixed size, so the fast path needs no test; heaps for which it has no slot left work along the slow path.</para>
/// <para>Nothing runs when a thread ends. Caches are registered with their thread; a new thread takes over a dead one's cache as it is,
/// and <see cref="SweepDeadThreads"/>, called by the clock, gives what is left of dead threads back to the slabs.</para>
/// <para>A section outlives its heap: the owner may be in the middle of its last call when the heap is collected or disposed. Only the
/// owner empties it, when another heap comes to have the same slot.</para>
/// </remarks>
internal sealed unsafe class HeapThread
{
    /// <summary>Slots of a directory, the one of no heap included.</summary>
    internal const int SlotCount = 512;

    /// <summary>Held while what dead threads left moves to the slabs: who sums both must not miss what is on its way.</summary>
    internal static readonly Lock Inheritance = new();

    private static readonly Lock s_lock = new();
    private static readonly List<HeapThread> s_all = [];

    /// <summary>The sections, by the heaps' indices; only the owner adds, under the lock that readers take.</summary>
    private readonly List<HeapSection?> _sections = [];
    private readonly nint[] _directory = GC.AllocateUninitializedArray<nint>(SlotCount, pinned: true);
    private Thread _owner = Thread.CurrentThread;

    private HeapThread() => _directory.AsSpan().Fill((nint)HeapSection.Empty.Words);

    internal static HeapThread Current => Local.Thread ?? Create();

    /// <summary>Every section that serves <paramref name="heap"/> now.</summary>
    internal static List<HeapSection> SectionsOf(HeapCore heap)
    {
        List<HeapSection> found = [];
        lock (s_lock)
        {
            foreach (HeapThread thread in s_all)
            {
                if (heap.Index < thread._sections.Count && thread._sections[heap.Index] is { } section && section.Heap == heap)
                {
                    found.Add(section);
                }
            }
        }

        return found;
    }

    /// <summary>The heap is gone: no thread finds its section any more.</summary>
    internal static void Detach(HeapCore heap)
    {
        lock (s_lock)
        {
            heap.IsRetired = true;
            foreach (HeapThread thread in s_all)
            {
                if (heap.Index < thread._sections.Count && thread._sections[heap.Index] is { } section && section.Heap == heap)
                {
                    section.Heap = null;
                    thread.Publish(heap.Index, HeapSection.Empty);
                }
            }
        }
    }

    /// <summary>Gives back what threads that have ended left behind.</summary>
    internal static void SweepDeadThreads()
    {
        lock (Inheritance)
        {
            List<HeapThread> dead;
            lock (s_lock)
            {
                dead = s_all.FindAll(static thread => !thread._owner.IsAlive);
                if (dead.Count == 0)
                {
                    return;
                }

                s_all.RemoveAll(dead.Contains);
            }

            foreach (HeapThread thread in dead)
            {
                foreach (HeapSection? section in thread._sections)
                {
                    section?.Heap?.Adopt(section);
                }
            }
        }
    }

    /// <summary>The section of <paramref name="heap"/> in this thread's cache, made at the first use.</summary>
    internal HeapSection SectionOf(HeapCore heap)
    {
        return heap.Index < _sections.Count && _sections[heap.Index] is { } section && section.Heap == heap ? section : AddSection(heap);
    }

    /// <summary>This thread's section of <paramref name="heap"/>; null when it has none.</summary>
    internal static HeapSection? FindSection(HeapCore heap) =>
        Local.Thread is { } mine && heap.Index < mine._sections.Count && mine._sections[heap.Index] is { } section && section.Heap == heap
            ? section
            : null;

    /// <summary>A cache for this thread: that of a thread that ended, with all it holds, or else a new one.</summary>
    private static HeapThread Create()
    {
        HeapThread? mine;
        lock (s_lock)
        {
            mine = s_all.Find(static other => !other._owner.IsAlive);
            if (mine is null)
            {
                mine = new HeapThread();
                s_all.Add(mine);
            }

            mine._owner = Thread.CurrentThread;
        }

        Local.Thread = mine;
        Local.Directory = (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(mine._directory));
        return mine;
    }

    private HeapSection AddSection(HeapCore heap)
    {
        HeapSection section = new() { Heap = heap };
        lock (s_lock)
        {
            ObjectDisposedException.ThrowIf(heap.IsRetired, typeof(NativeHeap));
            while (_sections.Count <= heap.Index)
            {
                _sections.Add(null);
            }

            _sections[heap.Index] = section;
            Publish(heap.Index, section);
        }

        return section;
    }

    private void Publish(int index, HeapSection section)
    {
        if (index < SlotCount)
        {
            Volatile.Write(ref _directory[index], (nint)section.Words);
        }
    }

    /// <summary>The thread-local words. Zero until a thread first takes the slow path.</summary>
    internal static class Local
    {
        /// <summary>The address of the directory: one section's address for each slot.</summary>
        [ThreadStatic]
        internal static nint Directory;

        [ThreadStatic]
        internal static HeapThread? Thread;
    }
}
