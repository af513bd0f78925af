using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>What a pool did during the recording.</summary>
internal sealed record PoolUse(TracedPool Pool, long Rented, long Returned, long Allocated, long Dropped, long Trimmed, long RentedBytes)
{
    /// <summary>The pool by its elements, or by its source.</summary>
    public string Name => Pool.Element.Length == 0
        ? $"{(Pool.Source == "Tarn" ? "Tarn" : "ArrayPool")} {Pool.Id:x8}"
        : $"{(Pool.Source == "Tarn" ? "BufferPool" : "ArrayPool")}<{ShortElement}> {Pool.Id:x8}";

    private string ShortElement => Pool.Element == "System.__Canon" ? "class" : LastName(Pool.Element.Split('`', '[')[0]);

    private static string LastName(string type) => type[(type.LastIndexOfAny(['.', '+']) + 1)..];
}
