namespace Tarn.Lab.Workloads.Native;

/// <summary>What xmalloc-test's producers hand over: a block that holds the addresses of many others.</summary>
internal unsafe struct Batch
{
    public const int Capacity = 4_096;

    public Batch* Next;
    public fixed ulong Objects[Capacity];
}
