namespace Tarn.Tests.NativeHeaps;

/// <summary>A heap that does not count its blocks in use.</summary>
public sealed class WithoutStatisticsContractTests : NativeHeapContract
{
    protected override bool CountsInUse => false;

    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { Statistics = false, Checks = BufferChecks.None, Clock = _clock.Trim });
}
