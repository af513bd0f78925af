using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>All checks, and guard pages: one block in 64 ends at an OS page that no one may touch.</summary>
public sealed class GuardedHeapContractTests : NativeHeapContract
{
    public GuardedHeapContractTests() =>
        Skip.IfNot(StressLength.IsLong, "heaps with checks are enough for the short form; the long form has those with guard pages too");

    protected override bool IsChecked => true;

    protected override int LongestSwept => 1 << 17;

    protected override int MostBlocks => 300;

    protected override nuint LargestReallocated => 8 << 20;

    protected override nuint TrimmedBytes => 64 << 10;

    protected override NativeHeap Create() => new(new NativeHeapOptions
    {
        Name = $"guarded {Guid.NewGuid()}",
        Checks = BufferChecks.All | BufferChecks.GuardPages,
        Clock = _clock.Trim,
    });
}
