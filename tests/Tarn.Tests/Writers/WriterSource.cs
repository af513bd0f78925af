namespace Tarn.Tests.Writers;

/// <summary>Where the writers of a test get their memory from.</summary>
internal abstract class WriterSource : IDisposable
{
    /// <summary>The bytes that writers, and what was detached from them, have now.</summary>
    internal abstract long InUseBytes { get; }

    public abstract void Dispose();

    internal abstract PooledWriter<byte> Create(int capacity = 0, int maxCount = int.MaxValue);

    /// <summary>Fails unless all memory came back, each piece once.</summary>
    internal abstract void AssertAllReturned();
}
