using CommunityToolkit.HighPerformance.Buffers;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads;

/// <summary>The CommunityToolkit's lease for asynchronous code.</summary>
internal readonly struct MemoryOwnerTouched(int length) : IWork
{
    public void Once()
    {
        using MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length);
        owner.Memory.Span[0] = 1;
    }
}
