namespace Tarn.Tests.SharedMemory;

/// <summary>The same where a thread can sleep on one word only, as on macOS and on Linux before 5.16.</summary>
public sealed class RingAwaitStressTestsOneByOne : RingAwaitStressTests
{
    private readonly RingWaiters _usual = RingWaiters.Shared;

    public RingAwaitStressTestsOneByOne() => RingWaiters.Shared = new RingWaiters(static () => new SingleSignalGroup());

    public override void Dispose()
    {
        RingWaiters.Shared = _usual;
        base.Dispose();
    }
}
