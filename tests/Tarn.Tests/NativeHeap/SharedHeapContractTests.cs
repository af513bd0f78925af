namespace Tarn.Tests.NativeHeaps;

/// <summary>The process's shared heap, which other tests use at the same time.</summary>
public sealed class SharedHeapContractTests : NativeHeapContract
{
    protected override bool IsOwn => false;

    protected override NativeHeap Create() => NativeHeap.Shared;
}
