namespace Tarn;

/// <summary>Every thread's section of one owner (a pool or a heap), including those of ended threads that no sweep has found yet.</summary>
/// <remarks>All members are safe to call from any thread, except that one thread at a time closes.</remarks>
/// <param name="directory">Leads each thread to its section.</param>
internal sealed class OwnerSections<TSection, TWords>(ThreadDirectory<TSection, TWords> directory)
    where TSection : class, IThreadSection
    where TWords : struct, IThreadWords
{
    private readonly Lock _lock = new();
    private readonly List<TSection> _sections = [];
    private volatile bool _isClosed;

    /// <summary>Whether the index went back, and may be another owner's.</summary>
    private bool _isDetached;

    /// <summary>The owner's place in every thread's directory; unique among the owners alive. 0 before it opens.</summary>
    internal int Index { get; private set; }

    /// <summary>Whether no more sections are added.</summary>
    internal bool IsClosed => _isClosed;

    /// <summary>Takes the index. An owner's constructor does so last: nothing gives an index back that it took before it threw.</summary>
    internal void Open() => Index = directory.TakeIndex();

    internal TSection[] GetAll()
    {
        using (_lock.Hold())
        {
            return [.. _sections];
        }
    }

    /// <summary>Adds a section to this thread; false when the owner has closed.</summary>
    internal bool TryAdd(TSection section)
    {
        using (_lock.Hold())
        {
            if (_isClosed)
            {
                return false;
            }

            // Both or none: an owner that closes moves each known section out of its thread's reach.
            _sections.EnsureCapacity(_sections.Count + 1);
            directory.Add(Index, section);
            _sections.Add(section);
            return true;
        }
    }

    internal void Remove(TSection section)
    {
        using (_lock.Hold())
        {
            _ = ListRoom.Remove(_sections, section);
        }
    }

    /// <summary>
    /// Prevents every thread from finding its section and from adding one, and gives the index back once. If a call throws, another one
    /// goes on where it ended.
    /// </summary>
    internal void Close()
    {
        using (_lock.Hold())
        {
            _isClosed = true;
        }

        if (!_isDetached)
        {
            // Once: the next owner of the index may be alive.
            directory.Detach(Index);
            _isDetached = true;
        }
    }
}
