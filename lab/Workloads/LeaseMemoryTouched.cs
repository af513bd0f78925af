using System.Buffers;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads;

/// <summary>Our lease for asynchronous code.</summary>
internal readonly struct LeaseMemoryTouched(int length) : IWork
{
    public void Once()
    {
        using IMemoryOwner<byte> owner = BufferPool<byte>.Shared.LeaseMemory(length);
        owner.Memory.Span[0] = 1;
    }
}
