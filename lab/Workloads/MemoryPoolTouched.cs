using System.Buffers;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads;

/// <summary>The BCL's lease for asynchronous code.</summary>
internal readonly struct MemoryPoolTouched(int length) : IWork
{
    public void Once()
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        owner.Memory.Span[0] = 1;
    }
}
