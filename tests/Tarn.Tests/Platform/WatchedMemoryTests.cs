using Tarn.Tests.Support;

namespace Tarn.Tests.Platform;

/// <summary>The double is as good as the system while it refuses nothing.</summary>
public sealed class WatchedMemoryTests : VirtualMemoryContract, IDisposable
{
    private readonly FailingMemory _memory;

    public WatchedMemoryTests()
        : this(new FailingMemory())
    {
    }

    private WatchedMemoryTests(FailingMemory memory)
        : base(memory) => _memory = memory;

    public void Dispose() => _memory.AssertNothingLeaks();
}
