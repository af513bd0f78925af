namespace Tarn.Traces;

/// <summary>Ranges of addresses that do not overlap, each with a value. All are added before the first is found.</summary>
internal sealed class AddressRanges
{
    private readonly List<(ulong Start, ulong End, ulong Value)> _ranges = [];
    private bool _isSorted = true;

    internal int Count => _ranges.Count;

    internal void Add(ulong start, ulong end, ulong value)
    {
        _isSorted &= _ranges.Count == 0 || start >= _ranges[^1].Start;
        _ranges.Add((start, end, value));
    }

    /// <summary>Finds the range that has an address.</summary>
    internal bool TryFind(ulong address, out ulong value)
    {
        if (!_isSorted)
        {
            _ranges.Sort();
            _isSorted = true;
        }

        int low = 0;
        for (int high = _ranges.Count; low < high;)
        {
            int middle = (low + high) >>> 1;
            (low, high) = _ranges[middle].Start <= address ? (middle + 1, high) : (low, middle);
        }

        bool isFound = low > 0 && address < _ranges[low - 1].End;
        value = isFound ? _ranges[low - 1].Value : 0;
        return isFound;
    }
}
