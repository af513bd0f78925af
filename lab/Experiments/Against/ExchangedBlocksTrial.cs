using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Against;

/// <summary>
/// Each thread allocates a block of a random size, exchanges it for the one in a random place of a table that all share, and frees that
/// one, which is usually another thread's. An iteration is a block of each thread.
/// </summary>
internal sealed unsafe class ExchangedBlocksTrial<TAllocator> : Trial, IRetainingTrial
    where TAllocator : struct, INativeAllocator
{
    private const int SmallestSize = 16;
    private const int PlacesPerThread = 8;
    private const int Sizes = 1 << 12;

    /// <summary>Addresses of blocks; each block begins with its size.</summary>
    private readonly long[] _table;

    private readonly TAllocator _allocator;
    private readonly Crew _crew;
    private readonly Func<long> _retained;
    private readonly int[] _sizes = new int[Sizes];
    private readonly Random[] _randoms;
    private long _inUse;
    private long _peakInUse;
    private long _peakRetained;

    public ExchangedBlocksTrial(string name, TAllocator allocator, Func<long> retained, Crew crew, int largest, int seed)
        : base(name, (double)crew.Size / Math.Min(crew.Size, Environment.ProcessorCount))
    {
        _allocator = allocator;
        _retained = retained;
        _crew = crew;
        _table = new long[crew.Size * PlacesPerThread];
        var random = new Random(seed);
        double doublings = Math.Log2((double)largest / SmallestSize);
        for (int i = 0; i < Sizes; i++)
        {
            _sizes[i] = (int)(SmallestSize * Math.Pow(2, random.NextDouble() * doublings));
        }

        _randoms = [.. Enumerable.Range(0, crew.Size).Select(member => new Random(seed + member))];
    }

    /// <inheritdoc/>
    public double RetainedOfPeak => (double)_peakRetained / _peakInUse;

    public override double Run(int iterations)
    {
        double spent = _crew.Run(member => Work(_randoms[member], iterations));
        _peakRetained = Math.Max(_peakRetained, _retained());
        return spent;
    }

    private void Work(Random random, int iterations)
    {
        TAllocator own = _allocator;
        for (int i = 0; i < iterations; i++)
        {
            int size = _sizes[random.Next(Sizes)];
            byte* block = (byte*)own.Allocate((nuint)size);
            *(long*)block = size;
            long inUse = Interlocked.Add(ref _inUse, (long)NativeHeap.GetBlockSize((nuint)size));
            if (inUse > Volatile.Read(ref _peakInUse))
            {
                Volatile.Write(ref _peakInUse, inUse);
            }

            nint other = (nint)Interlocked.Exchange(ref _table[random.Next(_table.Length)], (nint)block);
            if (other != 0)
            {
                long otherSize = *(long*)other;
                Interlocked.Add(ref _inUse, -(long)NativeHeap.GetBlockSize((nuint)otherSize));
                own.Free((void*)other, (nuint)otherSize);
            }
        }
    }
}
