namespace Tarn.Tool.Allocations;

/// <summary>What to do about each means of allocation.</summary>
internal static class CandidateWords
{
    /// <summary>What to do, and the rule whose fix does it.</summary>
    /// <param name="means">Why arrays are allocated.</param>
    /// <param name="type">Their type, as C# has it.</param>
    /// <param name="isLarge">Whether most of their bytes are in large objects.</param>
    public static (string Action, string Rule) Action(AllocationMeans means, string type, bool isLarge)
    {
        string element = type.EndsWith("[]", StringComparison.Ordinal) ? type[..^2] : type;
        string large = isLarge ? " They are large objects, which only full collections take back." : "";
        return means switch
        {
            AllocationMeans.NewArray => ($"Lease them: using var lease = BufferPool<{element}>.Shared.Lease(length).{large}", ""),
            AllocationMeans.MemoryStreamGrowth => ($"A MemoryStream grows: make it a PooledMemoryStream.{large}", "TARN101"),
            AllocationMeans.Copy => (
                "They are copies (ToArray): pass the span, the memory or the sequence on, or copy into a leased buffer."
                + large, ""),
            AllocationMeans.StringBuilderGrowth => (
                "A StringBuilder grows: create it with a capacity, keep it and Clear it, or write into a leased char buffer." + large, ""),
            AllocationMeans.CollectionGrowth => (
                $"A collection grows: create it with a capacity, keep it and Clear it, or fill a leased {type} if its length is known."
                + large, ""),
            AllocationMeans.WriterGrowth => ($"An ArrayBufferWriter grows: a PooledMemoryStream is an IBufferWriter<byte> too.{large}", ""),
            AllocationMeans.Encoding => (
                $"Encode into a leased buffer: GetByteCount or GetMaxByteCount, then GetBytes(text, span).{large}", ""),
            AllocationMeans.ReadWhole => ($"Read into a leased buffer or a PooledMemoryStream instead of one array.{large}", ""),
            AllocationMeans.PoolMiss => (
                "A pool allocates, because none of its buffers is free: BufferPool.Shared keeps more, and tarn record shows which are lost."
                + large, "TARN103"),
            _ => ("The platform allocates them for itself; a call that takes a span or a stream may spare them.", ""),
        };
    }
}
