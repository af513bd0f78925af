using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Pools that come and go by the hundred, and finalizers that still use those that are gone.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class PoolLifetimeTests
{
    private readonly DroppedPools _pools = new(new ManualClock().Trim);

    /// <summary>On every thread.</summary>
    [Fact]
    public void Finalizers_that_use_a_pool_collected_with_them_share_no_array_with_a_living_pool()
    {
        using Worker other = new();
        for (int round = 0; round < StressLength.Times(12, 60); round++)
        {
            _pools.Drop();
            other.Run(_pools.Drop);
            GC.Collect();
            _pools.UseNew();
            other.Run(_pools.UseNew);
            GC.WaitForPendingFinalizers();
            _pools.UseNew();
            other.Run(_pools.UseNew);
        }

        Assert.True(_pools.Finalized > 0, "No finalizer used a pool.");
        Assert.True(_pools.Failures.Count == 0, $"{_pools.Failures.Count} failures; the first: {_pools.Failures.FirstOrDefault()}");
    }

    [Fact]
    public void A_pool_that_is_gone_serves_its_last_users_by_allocating()
    {
        Worker.RunOnce(_pools.DropOne);
        Eventually.TrueAfterCollections(() => _pools.Finalized > 0, "the last user is finalized");
        Assert.True(_pools.Failures.Count == 0, _pools.Failures.FirstOrDefault());
    }
}
