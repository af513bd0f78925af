namespace Tarn.Tests.NativeHeaps;

/// <summary>The process's own heap; other tests use it meanwhile.</summary>
public sealed class SharedHeapContractTests : NativeHeapContract
{
    protected override bool IsOwn => false;

    protected override NativeHeap Create() => NativeHeap.Shared;
}
