namespace Tarn.Tool.Analysis;

/// <summary>The rents of one call site.</summary>
internal sealed class SiteOfRents(int site)
{
    /// <summary>The buffers that did not come back: the time of the rent and the bytes, in order of time.</summary>
    private readonly List<(long Rented, long Bytes, int Stack)> _open = [];

    public int Site { get; } = site;

    public int Rented { get; private set; }

    public int Returned { get; private set; }

    public long Bytes { get; private set; }

    public long FirstMicroseconds { get; private set; }

    public long LastMicroseconds { get; private set; }

    /// <summary>The longest time that a buffer was out which came back.</summary>
    public long LongestHold { get; private set; }

    /// <summary>The sum of the times that buffers were out which came back.</summary>
    public long HoldSum { get; private set; }

    public IReadOnlyList<(long Rented, long Bytes, int Stack)> Open => _open;

    public void AddReturned(long rented, long returned, long bytes)
    {
        Add(rented, bytes);
        Returned++;
        LongestHold = Math.Max(LongestHold, returned - rented);
        HoldSum += returned - rented;
    }

    public void AddOpen(long rented, long bytes, int stack)
    {
        Add(rented, bytes);
        _open.Add((rented, bytes, stack));
    }

    private void Add(long rented, long bytes)
    {
        FirstMicroseconds = Rented == 0 ? rented : Math.Min(FirstMicroseconds, rented);
        LastMicroseconds = Math.Max(LastMicroseconds, rented);
        Rented++;
        Bytes += bytes;
    }
}
