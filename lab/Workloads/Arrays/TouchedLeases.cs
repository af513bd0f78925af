using System.Buffers;
using CommunityToolkit.HighPerformance.Buffers;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>Our lease for asynchronous code.</summary>
internal readonly struct LeaseMemoryTouched(int length) : IWork
{
    public void Once()
    {
        using IMemoryOwner<byte> owner = BufferPool<byte>.Shared.LeaseMemory(length);
        owner.Memory.Span[0] = 1;
    }
}

/// <summary>Our lease of the shared pool, its first element written.</summary>
internal readonly struct LeaseTouched(int length) : IWork
{
    public void Once()
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(length);
        lease.Span[0] = 1;
    }
}

/// <summary>The CommunityToolkit's lease for asynchronous code.</summary>
internal readonly struct MemoryOwnerTouched(int length) : IWork
{
    public void Once()
    {
        using MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length);
        owner.Memory.Span[0] = 1;
    }
}

/// <summary>DotNext's owner over <c>ArrayPool&lt;byte&gt;.Shared</c>: a structure, so copies of it can return twice.</summary>
internal readonly struct DotNextOwnerTouched(int length) : IWork
{
    public void Once()
    {
        using DotNext.Buffers.MemoryOwner<byte> owner = new(ArrayPool<byte>.Shared, length);
        owner.Span[0] = 1;
    }
}

/// <summary>The BCL's lease for asynchronous code.</summary>
internal readonly struct MemoryPoolTouched(int length) : IWork
{
    public void Once()
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        owner.Memory.Span[0] = 1;
    }
}

/// <summary>Our blocks for pipes.</summary>
internal readonly struct TarnMemoryPoolTouched(int length) : IWork
{
    private static readonly MemoryPool<byte> s_memory = BufferPool<byte>.Shared.AsMemoryPool();

    public void Once()
    {
        using IMemoryOwner<byte> owner = s_memory.Rent(length);
        owner.Memory.Span[0] = 1;
    }
}

/// <summary>The CommunityToolkit's lease over <c>ArrayPool&lt;byte&gt;.Shared</c>.</summary>
internal readonly struct SpanOwnerTouched(int length) : IWork
{
    public void Once()
    {
        using SpanOwner<byte> owner = SpanOwner<byte>.Allocate(length);
        owner.Span[0] = 1;
    }
}
