using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>All checks.</summary>
public sealed class CheckedHeapContractTests : NativeHeapContract
{
    protected override bool IsChecked => true;

    protected override int LongestSwept => StressLength.IsLong ? 1 << 17 : 1 << 15;

    /// <summary>With its record and its stack, a block of a byte costs tens of kilobytes.</summary>
    protected override int MostBlocks => StressLength.IsLong ? 2000 : 500;

    protected override nuint LargestReallocated => 8 << 20;

    protected override nuint TrimmedBytes => 64 << 10;

    protected override NativeHeap Create() => new(new NativeHeapOptions
    {
        Name = $"checked {Guid.NewGuid()}",
        Checks = BufferChecks.All,
        Clock = _clock.Trim,
    });
}
