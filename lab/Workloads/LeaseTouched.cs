using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads;

/// <summary>Our lease of the shared pool, its first element written.</summary>
internal readonly struct LeaseTouched(int length) : IWork
{
    public void Once()
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(length);
        lease.Span[0] = 1;
    }
}
