namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The same where a thread can sleep on one word only, as on macOS and on Linux before 5.16.</summary>
public sealed class RingAwaitStressTestsOneByOne : RingAwaitStressTests
{
    private readonly TaskWaiters _usual = TaskWaiters.Shared;

    public RingAwaitStressTestsOneByOne() => TaskWaiters.Shared = new TaskWaiters(static () => new SingleSignalGroup());

    public override void Dispose()
    {
        TaskWaiters.Shared = _usual;
        base.Dispose();
    }
}
