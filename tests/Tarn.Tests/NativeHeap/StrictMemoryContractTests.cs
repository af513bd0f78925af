using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>An operating system that enforces its contract: decommitted memory faults, and reserved memory must be released.</summary>
public sealed class StrictMemoryContractTests : NativeHeapContract
{
    private readonly FailingMemory _memory = new() { DecommittedMemoryFaults = true };

    protected override NativeHeap Create() =>
        new(new NativeHeapOptions { MaxRetainedBytes = 4 << 20, Memory = _memory, Checks = BufferChecks.None, Clock = _clock.Trim });

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        _memory.AssertNothingLeaks();
    }
}
