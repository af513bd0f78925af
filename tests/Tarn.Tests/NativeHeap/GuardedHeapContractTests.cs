using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>All checks, and guard pages: one block in 64 ends at an OS page that no one may touch.</summary>
public sealed class GuardedHeapContractTests : NativeHeapContract
{
    protected override bool IsChecked => true;

    protected override int LongestSwept => StressLength.Times(1 << 12, 1 << 17);

    protected override int MostBlocks => StressLength.Times(100, 300);

    protected override nuint LargestReallocated => 8 << 20;

    protected override nuint TrimmedBytes => (nuint)StressLength.Times(16 << 10, 64 << 10);

    protected override NativeHeap Create() => new(new NativeHeapOptions
    {
        Name = $"guarded {Guid.NewGuid()}",
        Checks = BufferChecks.All | BufferChecks.GuardPages,
        Clock = _clock.Trim,
    });
}
