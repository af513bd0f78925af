using System.Runtime.CompilerServices;

namespace Tarn.Tests.Model;

/// <summary>A pool and the counters it must report.</summary>
internal sealed class PoolModel<T>(BufferPoolOptions options)
{
    internal BufferPool<T> Pool { get; } = BufferPool<T>.Create(options);

    internal List<LiveBuffer<T>> Live { get; } = [];

    internal long Rents { get; set; }

    internal long Returns { get; set; }

    /// <summary>The empty array is handed out without being counted.</summary>
    internal void Rented(T[] array) => Rents += array.Length > 0 ? 1 : 0;

    internal void Returned(T[] array) => Returns += array.Length > 0 ? 1 : 0;

    internal void Verify()
    {
        BufferPoolStatistics now = Pool.GetStatistics();
        long inUse = 0;
        foreach (LiveBuffer<T> buffer in Live)
        {
            inUse += (long)buffer.Array.Length * Unsafe.SizeOf<T>();
        }

        Assert.Equal((Rents, Returns, inUse), (now.Rented, now.Returned, now.InUseBytes));
        long granted = Pool.Core.Budget.Granted;
        long summed = Pool.Core.GetStatistics().RetainedBytes;
        Assert.True(summed <= granted, $"{summed} bytes are kept, {granted} were granted.");

        Assert.InRange(now.RetainedBytes, 0, options.MaxRetainedBytes!.Value);
        Assert.InRange(granted, 0, options.MaxRetainedBytes!.Value);
        Assert.True(now.Allocated <= now.Rented);
        Assert.True(now.Dropped <= now.Returned);
    }
}
