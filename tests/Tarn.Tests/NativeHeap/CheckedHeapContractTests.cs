namespace Tarn.Tests.NativeHeaps;

/// <summary>All checks.</summary>
public sealed class CheckedHeapContractTests : NativeHeapContract
{
    protected override bool IsChecked => true;

    protected override int LongestSwept => 1 << 17;

    /// <summary>With its record and its stack, a block of a byte costs tens of kilobytes.</summary>
    protected override int MostBlocks => 2000;

    protected override nuint LargestReallocated => 8 << 20;

    protected override nuint TrimmedBytes => 64 << 10;

    protected override NativeHeap Create() => new(new NativeHeapOptions { Checks = BufferChecks.All, Clock = _clock.Trim });
}
