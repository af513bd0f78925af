using Tarn.Tests.Support;

namespace Tarn.Tests.Platform;

/// <summary>Memory that faults once it is decommitted, as on macOS and Windows, keeps the same contract.</summary>
public sealed class StrictMemoryTests : VirtualMemoryContract, IDisposable
{
    private readonly FailingMemory _memory;

    public StrictMemoryTests()
        : this(new FailingMemory { DecommittedMemoryFaults = true })
    {
    }

    private StrictMemoryTests(FailingMemory memory)
        : base(memory) => _memory = memory;

    public void Dispose() => _memory.AssertNothingLeaks();
}
