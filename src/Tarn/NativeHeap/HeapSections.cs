namespace Tarn;

/// <summary>Every thread's section of one heap, those of threads that ended and were not found yet among them.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class HeapSections(HeapCore heap, int index)
{
    private readonly Lock _lock = new();
    private readonly List<HeapSection> _sections = [];

    /// <summary>Set under the lock that sections are added under: none is made any more.</summary>
    internal bool IsClosed { get; private set; }

    internal HeapSection[] GetAll()
    {
        lock (_lock)
        {
            return [.. _sections];
        }
    }

    /// <summary>This thread's section; null when it has none.</summary>
    internal HeapSection? Find() => HeapThreads.Directory.Find(index) is { } section && section.Heap == heap ? section : null;

    /// <summary>This thread's section, a new one if it has none.</summary>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    internal HeapSection FindOrAdd() => Find() ?? Add();

    internal void Remove(HeapSection section)
    {
        lock (_lock)
        {
            _sections.Remove(section);
        }
    }

    /// <summary>No thread finds its section any more, nor makes one.</summary>
    internal void Close()
    {
        lock (_lock)
        {
            IsClosed = true;
        }

        HeapThreads.Directory.Detach(index);
        Array.ForEach(GetAll(), static section => section.Heap = null);
    }

    private HeapSection Add()
    {
        HeapSection section = new() { Heap = heap };
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(IsClosed, typeof(NativeHeap));
            _sections.EnsureCapacity(_sections.Count + 1);
            HeapThreads.Directory.Add(index, section);
            _sections.Add(section);
        }

        return section;
    }
}
