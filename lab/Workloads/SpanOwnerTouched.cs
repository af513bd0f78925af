using CommunityToolkit.HighPerformance.Buffers;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads;

/// <summary>The CommunityToolkit's lease over <c>ArrayPool&lt;byte&gt;.Shared</c>.</summary>
internal readonly struct SpanOwnerTouched(int length) : IWork
{
    public void Once()
    {
        using SpanOwner<byte> owner = SpanOwner<byte>.Allocate(length);
        owner.Span[0] = 1;
    }
}
