namespace Tarn.Tests.Model;

/// <summary>
/// The measures for judging a pool: the most in use, and each thread's own calls. The model does not know how pools work.
/// </summary>
/// <remarks>
/// <para>The bound on blow-up: retained ≤ Σ over lengths of the length's own peak in use + <see cref="ThreadAllowance"/> for each thread
/// + the room earned by threads that rent and return. Peaks of lengths, not of all bytes, because a buffer of one length is no help for
/// another.</para>
/// <para>A thread earns at most its largest burst, the largest rise of its own rents less its own returns, and no more than it returned
/// itself: one that only rents or only returns earns nothing.</para>
/// </remarks>
internal sealed class LoadModel
{
    /// <summary>The unearned bytes that a thread may keep over all lengths.</summary>
    internal const long ThreadAllowance = 512 << 10;

    private readonly Dictionary<int, Use> _uses = [];
    private readonly List<Dictionary<int, Own>> _threads = [];
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

    internal long EarnedBytes => _threads.Sum(static thread => thread.Sum(static own => own.Key * (long)own.Value.Earned));

    internal long Bound => NeededBytes + (_mostThreads * ThreadAllowance) + EarnedBytes;

    /// <summary>Starts a thread, which the number identifies from here on.</summary>
    internal int AddThread()
    {
        _threads.Add([]);
        _living++;
        _mostThreads = Math.Max(_mostThreads, _living + _unswept);
        return _threads.Count - 1;
    }

    /// <summary>Ends a thread. Its cache counts until the clock has trimmed it.</summary>
    internal void EndThread()
    {
        _living--;
        _unswept++;
    }

    internal void NoteTick() => _unswept = 0;

    internal void NoteRent(int thread, int length, bool isNew)
    {
        Rents++;
        RentedBytes += length;
        MissedBytes += isNew ? length : 0;
        InUseBytes += length;
        PeakBytes = Math.Max(PeakBytes, InUseBytes);
        Use use = Find(_uses, length);
        use.Count++;
        use.Peak = Math.Max(use.Peak, use.Count);

        Own own = Find(_threads[thread], length);
        own.Net++;
        own.Rise = Math.Max(own.Rise, own.Net - own.Lowest);
    }

    internal void NoteReturn(int thread, int length)
    {
        InUseBytes -= length;
        Find(_uses, length).Count--;
        Own own = Find(_threads[thread], length);
        own.Net--;
        own.Lowest = Math.Min(own.Lowest, own.Net);
        own.Returned++;
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

        foreach (Own own in _threads.SelectMany(static thread => thread.Values))
        {
            own.Lowest = own.Net;
            own.Rise = 0;
            own.Returned = 0;
        }
    }

    private static T Find<T>(Dictionary<int, T> all, int length)
        where T : new()
    {
        if (!all.TryGetValue(length, out T? found))
        {
            found = new T();
            all.Add(length, found);
        }

        return found;
    }

    private sealed class Use
    {
        internal int Count;
        internal int Peak;
    }

    private sealed class Own
    {
        internal int Net;
        internal int Lowest;
        internal int Rise;
        internal int Returned;

        internal int Earned => Math.Min(Rise, Returned);
    }
}
