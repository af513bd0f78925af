namespace Tarn;

/// <summary>The shared store of one pool's full magazines of one size class, in partitions so that processors rarely meet.</summary>
/// <remarks>
/// A magazine in the depot is full: it holds exactly as many buffers as it has room for, so its share of the budget is its length.
/// Empty magazines are kept as well, without buffers and without a share, so that handing buffers from thread to thread makes no
/// garbage. All members are safe to call from any thread.
/// </remarks>
internal sealed class Depot
{
    private const int MaxPartitions = 16;

    private readonly Partition[] _partitions = CreatePartitions();

    /// <summary>Buffers in the depot.</summary>
    internal long BufferCount
    {
        get
        {
            long count = 0;
            foreach (Partition partition in _partitions)
            {
                count += Volatile.Read(ref partition.BufferCount);
            }

            return count;
        }
    }

    /// <summary>Takes the magazine that came last, from this processor's partition first; null when there is none.</summary>
    internal ArrayReference[]? TakeFull()
    {
        int start = Thread.GetCurrentProcessorId();
        for (int i = 0; i < _partitions.Length; i++)
        {
            Partition partition = _partitions[(uint)(start + i) % (uint)_partitions.Length];
            if (Volatile.Read(ref partition.BufferCount) == 0)
            {
                continue;
            }

            lock (partition)
            {
                if (partition.Full.Count > 0)
                {
                    ArrayReference[] magazine = partition.Full[^1].Magazine;
                    partition.Full.RemoveAt(partition.Full.Count - 1);
                    partition.BufferCount -= magazine.Length;
                    Fetch(magazine);
                    return magazine;
                }
            }
        }

        return null;
    }

    /// <summary>Puts a full magazine in.</summary>
    internal void AddFull(ArrayReference[] magazine, TimeSpan now)
    {
        Partition partition = Mine;
        lock (partition)
        {
            partition.Full.Add(new Stored(magazine, now));
            partition.BufferCount += magazine.Length;
            partition.MostFull = Math.Max(partition.MostFull, partition.Full.Count);
        }
    }

    /// <summary>An empty magazine with room for <paramref name="capacity"/>.</summary>
    internal ArrayReference[] TakeEmpty(int capacity)
    {
        int start = Thread.GetCurrentProcessorId();
        for (int i = 0; i < _partitions.Length; i++)
        {
            Partition partition = _partitions[(uint)(start + i) % (uint)_partitions.Length];
            if (partition.Empty.Count == 0)
            {
                continue;
            }

            lock (partition)
            {
                if (partition.Empty.TryPop(out ArrayReference[]? magazine))
                {
                    // Empty it is already: clearing it once more brings its lines here to be written, as Fetch does to be read.
                    Array.Clear(magazine);
                    return magazine;
                }
            }
        }

        return new ArrayReference[capacity];
    }

    /// <summary>Keeps a magazine of the class's capacity, whose references were cleared, for <see cref="TakeEmpty"/>.</summary>
    internal void AddEmpty(ArrayReference[] magazine)
    {
        // More than there were full ones at once, wherever, is never asked for; a handful covers the threads of a partition.
        int room = 8;
        foreach (Partition partition in _partitions)
        {
            room += Volatile.Read(ref partition.MostFull);
        }

        Partition mine = Mine;
        lock (mine)
        {
            if (mine.Empty.Count < room)
            {
                mine.Empty.Push(magazine);
            }
        }
    }

    /// <summary>Takes out what has been there since before <paramref name="before"/>, the oldest first, until <paramref name="enough"/>
    /// buffers are out.</summary>
    internal List<ArrayReference[]> TakeIdle(TimeSpan before, long enough)
    {
        List<ArrayReference[]> idle = [];
        foreach (Partition partition in _partitions)
        {
            lock (partition)
            {
                int count = 0;
                while (enough > 0 && count < partition.Full.Count && partition.Full[count].Since <= before)
                {
                    idle.Add(partition.Full[count].Magazine);
                    enough -= partition.Full[count].Magazine.Length;
                    partition.BufferCount -= partition.Full[count].Magazine.Length;
                    count++;
                }

                partition.Full.RemoveRange(0, count);
                if (partition.Full.Count == 0)
                {
                    partition.Empty.Clear();
                    partition.MostFull = 0;
                }
            }
        }

        return idle;
    }

    /// <summary>
    /// Brings a magazine that another processor filled here, all of its lines at once: read one after the other, as buffers are asked
    /// for, each would be waited for.
    /// </summary>
    private static void Fetch(ArrayReference[] magazine)
    {
        const int perLine = 8;
        for (int i = 0; i < magazine.Length; i += perLine)
        {
            _ = Volatile.Read(ref magazine[i].Value);
        }
    }

    private Partition Mine => _partitions[(uint)Thread.GetCurrentProcessorId() % (uint)_partitions.Length];

    private static Partition[] CreatePartitions()
    {
        Partition[] partitions = new Partition[Math.Min(Environment.ProcessorCount, MaxPartitions)];
        for (int i = 0; i < partitions.Length; i++)
        {
            partitions[i] = new Partition();
        }

        return partitions;
    }

    private readonly record struct Stored(ArrayReference[] Magazine, TimeSpan Since);

    /// <summary>One shard; its fields are guarded by a lock on itself.</summary>
    private sealed class Partition
    {
        internal readonly List<Stored> Full = [];

        internal readonly Stack<ArrayReference[]> Empty = [];

        /// <summary>Written under the lock, read without it to pass by an empty partition.</summary>
        internal long BufferCount;

        /// <summary>As <see cref="Full"/> ever held since it was last seen empty by the clock. Written under the lock, read without it.</summary>
        internal int MostFull;
    }
}
