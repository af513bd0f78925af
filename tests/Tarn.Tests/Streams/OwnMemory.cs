using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>A pool and a heap of a test's own, which hand out memory that others have written to, and report the memory in use.</summary>
internal sealed class OwnMemory : IDisposable
{
    private const byte Soil = 0xEE;
    private const int LargestSoiled = 64 << 10;

    internal OwnMemory(BufferChecks checks = BufferChecks.None, VirtualMemory? system = null)
    {
        Pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = checks, IdleTimeout = Timeout.InfiniteTimeSpan });
        Heap =
            new NativeHeap(new NativeHeapOptions { Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan, Memory = system });
        for (int size = 256; size <= LargestSoiled; size *= 2)
        {
            SoilFour(size);
        }
    }

    internal BufferPool<byte> Pool { get; }

    internal NativeHeap Heap { get; }

    internal PooledMemoryStreamOptions InPool => new() { Pool = Pool };

    internal PooledMemoryStreamOptions InHeap => new() { Heap = Heap };

    internal long InUse => Pool.GetStatistics().InUseBytes + Heap.GetStatistics().InUseBytes;

    /// <summary>Verifies that all memory came back. Memory cleared in the background follows soon.</summary>
    internal void AssertNothingInUse()
    {
        WaitForTheBackground();
        Assert.Equal(0, InUse);
    }

    public void Dispose()
    {
        WaitForTheBackground();
        Heap.Dispose();
    }

    internal static void WaitForTheBackground() => Eventually.True(() => BackgroundClearing.WaitingBytes == 0, "the background clears all");

    /// <summary>Memory of the four size classes of a doubling.</summary>
    private void SoilFour(int doubling)
    {
        for (int size = doubling; size < doubling * 2; size += doubling / 4)
        {
            byte[][] arrays = [Pool.Rent(size), Pool.Rent(size)];
            NativeBuffer<byte>[] blocks = [Heap.AllocateBuffer<byte>(size), Heap.AllocateBuffer<byte>(size)];
            Array.ForEach(arrays, static array => array.AsSpan().Fill(Soil));
            Array.ForEach(blocks, static block => block.GetSpan().Fill(Soil));
            Array.ForEach(arrays, array => Pool.Return(array));
            Array.ForEach(blocks, static block => ((IDisposable)block).Dispose());
        }
    }
}
