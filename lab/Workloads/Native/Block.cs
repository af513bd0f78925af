namespace Tarn.Lab.Workloads.Native;

/// <summary>A block and the size it was asked for with, which whoever frees it must know.</summary>
internal unsafe struct Block
{
    public void* Address;
    public nuint Size;
}
