namespace Tarn.Traces;

/// <summary>Counts how often each value was seen.</summary>
internal sealed class Distribution
{
    private readonly SortedDictionary<int, long> _counts = [];
    private int[] _values = [];
    private long[] _upTo = [];
    private bool _isStale = true;

    internal long Total { get; private set; }

    internal IEnumerable<int> Values => _counts.Keys;

    internal void Add(int value)
    {
        _counts[value] = _counts.GetValueOrDefault(value) + 1;
        Total++;
        _isStale = true;
    }

    internal double ShareOf(int value) => Total == 0 ? 0 : _counts.GetValueOrDefault(value) / (double)Total;

    /// <summary>Draws a value with the probability with which it was seen. There must be at least one.</summary>
    internal int Draw(Random random)
    {
        if (_isStale)
        {
            Sum();
        }

        int at = Array.BinarySearch(_upTo, random.NextInt64(Total) + 1);
        return _values[at < 0 ? ~at : at];
    }

    /// <summary>
    /// Returns the total variation distance: the share that would have to move to turn one distribution into the other, from 0 to 1.
    /// </summary>
    internal double DistanceTo(Distribution other) =>
        Values.Union(other.Values).Sum(value => Math.Abs(ShareOf(value) - other.ShareOf(value))) / 2;

    private void Sum()
    {
        _values = [.. _counts.Keys];
        _upTo = new long[_values.Length];
        long sum = 0;
        for (int index = 0; index < _values.Length; index++)
        {
            sum += _counts[_values[index]];
            _upTo[index] = sum;
        }

        _isStale = false;
    }
}
