namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap as anyone makes it.</summary>
public sealed class OwnHeapContractTests : NativeHeapContract
{
    protected override NativeHeap Create() => new(new NativeHeapOptions { Checks = BufferChecks.None, Clock = _clock.Trim });
}
