namespace Tarn.Lab.Workloads.Loops;

/// <summary>Ways to allocate a block of bytes and return it: the document's, then ours.</summary>
internal static class AllocationNames
{
    public const string NewArray = "new byte[]";
    public const string HGlobal = "Marshal.AllocHGlobal";
    public const string CoTaskMem = "Marshal.AllocCoTaskMem";

    /// <summary>A named shared mapping: .NET has none on Linux and macOS, so ours is in the document's row.</summary>
    public const string SharedRegion = "SharedRegion.Create";

    public const string Stack = "stackalloc";
    public const string Pool = "BufferPool.Rent, Return";
    public const string Lease = "BufferPool.Lease";
    public const string Heap = "NativeHeap.Allocate, Free";
    public const string Scratch = "ScratchBuffer";
}
