using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Names of its own for each test, and nothing left of them.</summary>
public abstract class RingTest : IDisposable
{
    private readonly List<IDisposable> _made = [];

    protected string Name { get; } = $"test-{Guid.NewGuid():N}";

    public virtual void Dispose()
    {
        _made.ForEach(static one => one.Dispose());
        Assert.DoesNotContain(SharedRegion.List(), region => region.Name.StartsWith(Name, StringComparison.Ordinal));
        if (OperatingSystem.IsLinux())
        {
            Assert.Empty(Directory.GetFiles("/dev/shm", $"*{Name}*"));
        }

        GC.SuppressFinalize(this);
    }

    private protected SharedRing Create(int capacity, string suffix = "") => Keep(SharedRing.Create(Name + suffix, capacity));

    private protected SharedRing Open() => Keep(SharedRing.Open(Name));

    /// <summary>Another process that has the ring open.</summary>
    private protected RingChild Child() => Keep(RingChild.With(Name));

    /// <summary>Disposes it at the end of the test.</summary>
    private protected T Keep<T>(T one)
        where T : IDisposable
    {
        _made.Add(one);
        return one;
    }

    private protected static byte[] Message(SharedRing ring, long index) =>
        RingMessage.Create(RingMessage.NumberOf(0, index), ring.MaxMessageLength);

    /// <summary>On a thread of its own, as it waits.</summary>
    private protected static Task OnThread(Action action) =>
        Task.Factory.StartNew(action, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
