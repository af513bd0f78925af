namespace Tarn.Lab.Workloads.Native;

/// <summary>A block and its requested size, which the freeing thread needs.</summary>
internal unsafe struct Block
{
    public void* Address;
    public nuint Size;
}
