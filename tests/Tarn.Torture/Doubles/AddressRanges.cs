namespace Tarn.Torture.Doubles;

/// <summary>A set of addresses, kept as ranges in ascending order that do not overlap or touch.</summary>
internal sealed class AddressRanges
{
    private readonly List<(nuint Start, nuint End)> _ranges = [];

    /// <summary>Address and size of each range.</summary>
    internal IReadOnlyList<(nint Address, nuint Size)> Ranges =>
        [.. _ranges.Select(static range => ((nint)range.Start, range.End - range.Start))];

    /// <summary>Bytes in all ranges together.</summary>
    internal nuint Size => _ranges.Aggregate((nuint)0, static (sum, range) => sum + (range.End - range.Start));

    internal void Add(nint address, nuint size)
    {
        nuint start = (nuint)address;
        nuint end = start + size;
        foreach ((nuint otherStart, nuint otherEnd) in _ranges.Where(range => range.Start <= end && range.End >= start))
        {
            start = Math.Min(start, otherStart);
            end = Math.Max(end, otherEnd);
        }

        _ranges.RemoveAll(range => range.Start >= start && range.End <= end);
        int index = _ranges.FindIndex(range => range.Start > start);
        _ranges.Insert(index < 0 ? _ranges.Count : index, (start, end));
    }

    internal void Remove(nint address, nuint size)
    {
        nuint start = (nuint)address;
        nuint end = start + size;
        for (int i = _ranges.Count - 1; i >= 0; i--)
        {
            (nuint otherStart, nuint otherEnd) = _ranges[i];
            if (otherStart >= end || otherEnd <= start)
            {
                continue;
            }

            _ranges.RemoveAt(i);
            if (otherEnd > end)
            {
                _ranges.Insert(i, (end, otherEnd));
            }

            if (otherStart < start)
            {
                _ranges.Insert(i, (otherStart, start));
            }
        }
    }

    /// <summary>Every byte of the range is in the set.</summary>
    internal bool Contains(nint address, nuint size) =>
        _ranges.Exists(range => range.Start <= (nuint)address && range.End >= (nuint)address + size);

    /// <summary>Some byte of the range is in the set.</summary>
    internal bool Overlaps(nint address, nuint size) =>
        _ranges.Exists(range => range.Start < (nuint)address + size && range.End > (nuint)address);
}
