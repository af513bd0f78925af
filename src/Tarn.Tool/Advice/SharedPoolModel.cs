namespace Tarn.Tool.Advice;

/// <summary>
/// <c>ArrayPool.Shared</c>: a slot for each thread and bucket, then a stack for each processor, which all threads search. Which stack a
/// buffer is on does not matter to what is found, so one count for each bucket stands for all. Trims after collections are left out.
/// </summary>
/// <param name="processors">The processors of the machine that runs the program.</param>
internal sealed class SharedPoolModel(int processors) : IPoolModel
{
    /// <summary>The runtime's own limits.</summary>
    private const int Buckets = 27;
    private const int MostStacks = 64;
    private const int BuffersOfStack = 32;

    private readonly int _room = Math.Min(processors, MostStacks) * BuffersOfStack;
    private readonly int[] _stacked = new int[Buckets];
    private readonly HashSet<(int Thread, int Bucket)> _slots = [];

    public string Name => "ArrayPool.Shared";

    public long Retained { get; private set; }

    public (int Length, bool IsAllocated) Rent(int thread, int length)
    {
        int bucket = ArrayBuckets.Of(length);
        if (bucket >= Buckets)
        {
            return (length, true);
        }

        int given = ArrayBuckets.LengthOf(bucket);
        if (!_slots.Remove((thread, bucket)))
        {
            if (_stacked[bucket] == 0)
            {
                return (given, true);
            }

            _stacked[bucket]--;
        }

        Retained -= given;
        return (given, false);
    }

    public bool Return(int thread, int length)
    {
        int bucket = ArrayBuckets.Of(length);
        if (bucket >= Buckets)
        {
            return false;
        }

        // The slot takes this buffer; the one that was in it goes to a stack, or is dropped.
        if (!_slots.Add((thread, bucket)))
        {
            if (_stacked[bucket] == _room)
            {
                return false;
            }

            _stacked[bucket]++;
        }

        Retained += length;
        return true;
    }
}
