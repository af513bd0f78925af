using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>What a pool did during the recording.</summary>
internal sealed record PoolUse(TracedPool Pool, long Rented, long Returned, long Allocated, long Dropped, long Trimmed, long RentedBytes)
{
    /// <summary>Whether it stands for the streams of RecyclableMemoryStream, which an array pool cannot serve.</summary>
    public bool IsOfStreams => Pool.Source == StreamEvents.Source;

    /// <summary>The pool by its elements, or by its source.</summary>
    public string Name => (IsOfStreams, Pool.Element.Length, Pool.Source) switch
    {
        (true, _, _) => "RecyclableMemoryStream",
        _ when Pool.Name.Length > 0 => Pool.Name,
        (_, 0, PoolEventReader.TarnSource) => $"Tarn {Pool.Id:x8}",
        (_, 0, _) => $"ArrayPool {Pool.Id:x8}",
        (_, _, PoolEventReader.TarnSource) => $"BufferPool<{ShortElement}> {Pool.Id:x8}",
        _ => $"ArrayPool<{ShortElement}> {Pool.Id:x8}",
    };

    private string ShortElement => MethodNames.ShortType(Pool.Element);
}
