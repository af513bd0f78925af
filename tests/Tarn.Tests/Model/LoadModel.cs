namespace Tarn.Tests.Model;

/// <summary>
/// The measures for judging a pool: the most in use, and how many threads use it. The model does not know how pools work.
/// </summary>
/// <remarks>
/// <para>The bound on blow-up: a pool has at most what each length needed at its own peak, and what threads' caches held meanwhile. While
/// one thread alone keeps buffers, that is at most what it needed itself. For several it is <see cref="ThreadAllowance"/> for each and a
/// quarter of what all may take. Peaks of lengths, not of all bytes, because a buffer of one length is little help for another.</para>
/// </remarks>
internal sealed class LoadModel
{
    /// <summary>The bytes that a thread may keep over all lengths, whatever was needed: its room, and its own of short lengths.</summary>
    internal const long ThreadAllowance = ThreadRoom.BytesPerThread + (384 << 10);

    private readonly Dictionary<int, Use> _uses = [];
    private int _living;
    private int _unswept;
    private int _mostThreads;

    internal long Rents { get; private set; }

    internal long RentedBytes { get; private set; }

    /// <summary>Bytes of buffers that were made for a rent.</summary>
    internal long MissedBytes { get; private set; }

    internal long InUseBytes { get; private set; }

    /// <summary>The most bytes in use at a time.</summary>
    internal long PeakBytes { get; private set; }

    /// <summary>The program's need if no length helps another.</summary>
    internal long NeededBytes => _uses.Sum(static use => use.Key * (long)use.Value.Peak);

    internal long Bound => Math.Max(2 * NeededBytes, (NeededBytes + (_mostThreads * ThreadAllowance)) * 4 / 3);

    internal void AddThread()
    {
        _living++;
        _mostThreads = Math.Max(_mostThreads, _living + _unswept);
    }

    /// <summary>Ends a thread. Its cache counts until the clock has trimmed it.</summary>
    internal void EndThread()
    {
        _living--;
        _unswept++;
    }

    internal void NoteTick() => _unswept = 0;

    internal void NoteRent(int length, bool isNew)
    {
        Rents++;
        RentedBytes += length;
        MissedBytes += isNew ? length : 0;
        InUseBytes += length;
        PeakBytes = Math.Max(PeakBytes, InUseBytes);
        Use use = Find(length);
        use.Count++;
        use.Peak = Math.Max(use.Peak, use.Count);
    }

    internal void NoteReturn(int length)
    {
        InUseBytes -= length;
        Find(length).Count--;
    }

    /// <summary>Forgets all earlier peaks, except for the buffers in use.</summary>
    internal void BeginAnew()
    {
        PeakBytes = InUseBytes;
        _mostThreads = _living + _unswept;
        foreach (Use use in _uses.Values)
        {
            use.Peak = use.Count;
        }
    }

    private Use Find(int length)
    {
        if (!_uses.TryGetValue(length, out Use? found))
        {
            found = new Use();
            _uses.Add(length, found);
        }

        return found;
    }

    private sealed class Use
    {
        internal int Count;
        internal int Peak;
    }
}
