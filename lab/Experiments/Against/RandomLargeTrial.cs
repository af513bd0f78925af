using System.Diagnostics;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Against;

/// <summary>A random program, and what its heap keeps meanwhile.</summary>
internal interface IRetainingTrial
{
    /// <summary>The most bytes retained at any look, as a multiple of the most bytes in use.</summary>
    double RetainedOfPeak { get; }
}

/// <summary>
/// Twenty live buffers of random sizes, replaced at random, with a byte of each OS page written. An iteration is a replacement.
/// </summary>
internal sealed unsafe class RandomLargeTrial<TAllocator>(
    string name, TAllocator allocator, Func<long> retained, int smallest, int largest, int seed)
    : Trial(name, operationsPerIteration: 1), IRetainingTrial
    where TAllocator : struct, INativeAllocator
{
    private const int LiveBuffers = 20;
    private const int LookEvery = 16;

    // Any OS page is at least this large.
    private const int WriteEvery = 4 << 10;

    private readonly Block[] _live = new Block[LiveBuffers];
    private readonly double _doublings = Math.Log2((double)largest / smallest);
    private readonly Random _random = new(seed);
    private long _inUse;
    private long _peakInUse;
    private long _peakRetained;
    private int _replaced;

    public double RetainedOfPeak => (double)_peakRetained / _peakInUse;

    public override double Run(int iterations)
    {
        double spent = 0;
        for (int iteration = 0; iteration < iterations; iteration++)
        {
            nuint size = (nuint)(smallest * Math.Pow(2, _random.NextDouble() * _doublings));
            ref Block place = ref _live[_random.Next(LiveBuffers)];
            long start = Stopwatch.GetTimestamp();
            Replace(ref place, size);
            spent += Clock.NanosecondsSince(start);
            _peakInUse = Math.Max(_peakInUse, _inUse);
            if (++_replaced % LookEvery == 0)
            {
                _peakRetained = Math.Max(_peakRetained, retained());
            }
        }

        return spent;
    }

    /// <summary>Allocates the new buffer before it frees the old one.</summary>
    private void Replace(ref Block place, nuint size)
    {
        TAllocator own = allocator;
        byte* address = (byte*)own.Allocate(size);
        for (nuint offset = 0; offset < size; offset += WriteEvery)
        {
            address[offset] = 1;
        }

        if (place.Address is not null)
        {
            own.Free(place.Address, place.Size);
        }

        _inUse += (long)NativeHeap.GetBlockSize(size) - (place.Address is null ? 0 : (long)NativeHeap.GetBlockSize(place.Size));
        place.Address = address;
        place.Size = size;
    }
}
