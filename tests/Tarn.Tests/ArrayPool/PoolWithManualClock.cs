using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The base of tests of pools with their own clock.</summary>
public abstract class PoolWithManualClock
{
    private protected static readonly TimeSpan s_idle = TimeSpan.FromSeconds(10);

    private protected readonly ManualClock _clock = new();

    private protected BufferPool<byte> Create(
        long? cap = 1 << 26, TimeSpan? idle = null, BufferChecks checks = BufferChecks.None) =>
        BufferPool<byte>.Create(new BufferPoolOptions
        {
            MaxRetainedBytes = cap,
            IdleTimeout = idle ?? s_idle,
            Checks = checks,
            Clock = _clock.Trim,
        });

    private protected static void AssertNothingKept(BufferPool<byte> pool)
    {
        Assert.Equal(0, pool.GetStatistics().RetainedBytes);
        Assert.Equal(0, pool.Core.Budget.Granted);
        pool.Core.Validate();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected static WeakReference[] RentAndReturn(BufferPool<byte> pool, int length, int depth)
    {
        byte[][] rented = [.. Enumerable.Range(0, depth).Select(_ => pool.Rent(length))];
        Array.ForEach(rented, array => pool.Return(array));
        return Array.ConvertAll(rented, static array => new WeakReference(array));
    }
}
