namespace Tarn.Tests.Writers;

/// <summary>Where the writers of a test get their memory from.</summary>
/// <param name="limit">The limit of the writers' own budget, in bytes; 0 for no budget.</param>
internal abstract class WriterSource(long limit) : IDisposable
{
    /// <summary>The budget of the writers, which has a parent; null for none.</summary>
    internal BufferBudget? Budget { get; } = limit > 0 ? new BufferBudget(limit).CreateChild(limit) : null;

    /// <summary>The bytes that writers, and what was detached from them, have now.</summary>
    internal abstract long InUseBytes { get; }

    public abstract void Dispose();

    internal abstract PooledWriter<byte> Create(int capacity = 0, int maxCount = int.MaxValue);

    /// <summary>Fails unless all memory came back, each piece once.</summary>
    internal virtual void AssertAllReturned() => AssertTaken(0);

    /// <summary>Fails unless the budget, if there is one, and its parent have granted these bytes.</summary>
    internal void AssertTaken(long bytes)
    {
        if (Budget is { Parent: { } parent })
        {
            Assert.Equal((bytes, bytes), (Budget.InUse, parent.InUse));
        }
    }
}
