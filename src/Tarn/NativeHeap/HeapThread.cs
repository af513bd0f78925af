using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>One thread's free blocks, of all heaps: a section for each heap the thread used.</summary>
/// <remarks>
/// <para>The fast path reads one thread-local word, the address of the directory, and there, at the heap's slot, the address of its
/// section. A word rather than a reference, because a thread-local reference takes three more dependent loads; its class has no static
/// constructor for the same reason. Slot 0 belongs to no heap: a heap whose calls all take the slow path has it. The directory has a
/// fixed size, so the fast path needs no test; heaps for which it has no slot left work along the slow path.</para>
/// <para>When a thread ends, a new one takes its cache over (<see cref="ThreadRegistry{T}"/>), or the clock gives what is in it back to
/// the slabs.</para>
/// <para>A section outlives its heap: the owner may be in the middle of its last call when the heap is collected or disposed. Only the
/// owner empties it, when another heap comes to have the same slot.</para>
/// </remarks>
internal sealed unsafe class HeapThread
{
    /// <summary>Slots of a directory, the one of no heap included.</summary>
    internal const int SlotCount = 512;

    private static readonly ThreadRegistry<HeapThread> s_threads = new(static () => new HeapThread());

    /// <summary>The sections, by the heaps' indices; only the owner adds, under the lock that readers take.</summary>
    private readonly List<HeapSection?> _sections = [];
    private readonly nint[] _directory = GC.AllocateUninitializedArray<nint>(SlotCount, pinned: true);

    private HeapThread() => _directory.AsSpan().Fill((nint)HeapSection.Empty.Words);

    /// <summary>Held while what dead threads left moves to the slabs and counters.</summary>
    internal static Lock Inheritance => s_threads.Inheritance;

    internal static HeapThread Current => Local.Thread ?? Create();

    /// <summary>Every section that serves <paramref name="heap"/> now.</summary>
    internal static List<HeapSection> SectionsOf(HeapCore heap)
    {
        List<HeapSection> found = [];
        s_threads.ForEach(thread =>
        {
            if (thread.Find(heap) is { } section)
            {
                found.Add(section);
            }
        });
        return found;
    }

    /// <summary>The heap is gone: no thread finds its section any more.</summary>
    internal static void Detach(HeapCore heap)
    {
        lock (s_threads.Sync)
        {
            heap.IsRetired = true;
            s_threads.ForEach(thread =>
            {
                if (thread.Find(heap) is { } section)
                {
                    section.Heap = null;
                    thread.Publish(heap.Index, HeapSection.Empty);
                }
            });
        }
    }

    /// <summary>Gives back what threads that have ended left behind.</summary>
    internal static void SweepDeadThreads() =>
        s_threads.Sweep(static thread => thread._sections.ForEach(static section => section?.Heap?.Adopt(section)));

    /// <summary>The section of <paramref name="heap"/> in this thread's cache, made at the first use.</summary>
    internal HeapSection SectionOf(HeapCore heap) => Find(heap) ?? AddSection(heap);

    /// <summary>This thread's section of <paramref name="heap"/>; null when it has none.</summary>
    internal static HeapSection? FindSection(HeapCore heap) => Local.Thread?.Find(heap);

    private static HeapThread Create()
    {
        HeapThread mine = s_threads.Join();
        Local.Thread = mine;
        Local.Directory = (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(mine._directory));
        return mine;
    }

    private HeapSection? Find(HeapCore heap) =>
        heap.Index < _sections.Count && _sections[heap.Index] is { } section && section.Heap == heap ? section : null;

    private HeapSection AddSection(HeapCore heap)
    {
        HeapSection section = new() { Heap = heap };
        lock (s_threads.Sync)
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
