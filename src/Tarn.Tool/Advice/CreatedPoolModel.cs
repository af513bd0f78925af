namespace Tarn.Tool.Advice;

/// <summary>
/// <c>ArrayPool.Create</c>: for each bucket as many places as the pool was created with. A rent takes the next place, filled or not, and
/// tries one longer bucket if all are taken; a return gives the last place back.
/// </summary>
internal sealed class CreatedPoolModel : IPoolModel
{
    /// <summary>The pool looks in this many buckets.</summary>
    private const int BucketsTried = 2;

    private readonly bool[][] _isFilled;
    private readonly int[] _taken;

    public CreatedPoolModel(int longest, int buffersOfBucket)
    {
        Name = $"ArrayPool.Create({longest}, {buffersOfBucket})";
        int buckets = ArrayBuckets.Of(Math.Clamp(longest, ArrayBuckets.Shortest, 1 << 30)) + 1;
        _isFilled = [.. Enumerable.Range(0, buckets).Select(_ => new bool[buffersOfBucket])];
        _taken = new int[buckets];
    }

    public string Name { get; }

    public long Retained { get; private set; }

    public (int Length, bool IsAllocated) Rent(int thread, int length)
    {
        int first = ArrayBuckets.Of(length);
        for (int bucket = first; bucket < Math.Min(_taken.Length, first + BucketsTried); bucket++)
        {
            if (_taken[bucket] < _isFilled[bucket].Length)
            {
                ref bool place = ref _isFilled[bucket][_taken[bucket]++];
                bool isAllocated = !place;
                Retained -= place ? ArrayBuckets.LengthOf(bucket) : 0;
                place = false;
                return (ArrayBuckets.LengthOf(bucket), isAllocated);
            }
        }

        return (first < _taken.Length ? ArrayBuckets.LengthOf(first) : length, true);
    }

    public bool Return(int thread, int length)
    {
        int bucket = ArrayBuckets.Of(length);
        if (bucket >= _taken.Length || _taken[bucket] == 0)
        {
            return false;
        }

        _isFilled[bucket][--_taken[bucket]] = true;
        Retained += length;
        return true;
    }
}
