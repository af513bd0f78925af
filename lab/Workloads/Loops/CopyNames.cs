namespace Tarn.Lab.Workloads.Loops;

/// <summary>Ways to copy bytes: the document's, those .NET has gained, then ours.</summary>
internal static class CopyNames
{
    public const string ArrayCopy = "Array.Copy";
    public const string MarshalCopy = "Marshal.Copy";

    /// <summary>The document calls the system's CopyMemory, which is the C library's function.</summary>
    public const string CLibrary = "memcpy";

    public const string BlockCopy = "Buffer.BlockCopy";
    public const string FourBytes = "loop of 4 bytes";
    public const string EightBytes = "loop of 8 bytes";
    public const string SpanCopy = "Span.CopyTo";
    public const string MemoryCopy = "Buffer.MemoryCopy";
    public const string Tarn = "BufferCopy.Copy";
    public const string TarnSpans = "BufferCopy.Copy of spans";
    public const string TarnParallel = "BufferCopy.CopyParallel";
}
