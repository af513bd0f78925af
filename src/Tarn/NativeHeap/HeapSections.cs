namespace Tarn;

/// <summary>Every thread's section of one heap, including those of ended threads that no sweep has found yet.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class HeapSections(HeapCore heap)
{
    private readonly Lock _lock = new();
    private readonly List<HeapSection> _sections = [];

    /// <summary>Whether the index went back, and may be another heap's.</summary>
    private bool _isDetached;

    /// <summary>Whether no more sections are made. Set under the lock that guards their list.</summary>
    internal bool IsClosed { get; private set; }

    internal HeapSection[] GetAll()
    {
        using (_lock.Hold())
        {
            return [.. _sections];
        }
    }

    /// <summary>Returns this thread's section; null when it has none.</summary>
    internal HeapSection? Find() => HeapThreads.Directory.Find(heap.Index) is { } section && section.Heap == heap ? section : null;

    /// <summary>Returns this thread's section, or adds one.</summary>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    internal HeapSection FindOrAdd() => Find() ?? Add();

    internal void Remove(HeapSection section)
    {
        using (_lock.Hold())
        {
            ListRoom.Remove(_sections, section);
        }
    }

    /// <summary>
    /// Prevents every thread from finding its section and from adding one, and gives the index back once. If a call throws, another one
    /// goes on where it ended. One thread at a time.
    /// </summary>
    internal void Close()
    {
        using (_lock.Hold())
        {
            IsClosed = true;
        }

        HeapSection[] all = GetAll();
        if (!_isDetached)
        {
            HeapThreads.Directory.Detach(heap.Index);
            _isDetached = true;
        }

        foreach (HeapSection section in all)
        {
            section.Heap = null;
        }
    }

    private HeapSection Add()
    {
        HeapSection section = new(heap);
        using (_lock.Hold())
        {
            ObjectDisposedException.ThrowIf(IsClosed, typeof(NativeHeap));
            _sections.EnsureCapacity(_sections.Count + 1);
            HeapThreads.Directory.Add(heap.Index, section);
            _sections.Add(section);
        }

        return section;
    }
}
