using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Storms over array pools of random options, under random disturbances, and pools that are dropped while finalizers use them.
/// </summary>
internal sealed class PoolAttack : IAttack
{
    private static readonly long[] s_caps = [0, 200_000, 8 << 20, 1 << 28];
    private static readonly int[] s_threads = [2, 4, 16, 64];
    private static readonly BufferChecks[] s_checks =
        [BufferChecks.None, BufferChecks.None, BufferChecks.Returns | BufferChecks.SampledLeaks, BufferChecks.All];

    /// <inheritdoc/>
    public string Name => "pool";

    /// <inheritdoc/>
    public string Description => "stamped storms over array pools: threads die, trims, ticks, scarcity, listeners; pools are dropped";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            Storm(context);
            DropPools(context);
        }
        while (!context.IsOver);
    }

    private static void Storm(AttackContext context)
    {
        Random random = context.Random;
        ManualClock clock = new();
        long cap = s_caps[random.Next(s_caps.Length)];
        BufferPool<long> pool = BufferPool<long>.Create(new BufferPoolOptions
        {
            Name = "torture",
            MaxRetainedBytes = cap,
            IdleTimeout = TimeSpan.FromSeconds(1),
            SizeClassesPerDoubling = 1 << random.Next(3),
            Pinned = random.Next(4) == 0,
            ThreadCaches = random.Next(4) != 0,
            Clearing = random.Next(4) == 0 ? BufferClearing.OnReturn : BufferClearing.OnRequest,
            Checks = s_checks[random.Next(s_checks.Length)],
            Clock = clock.Trim,
        });
        PoolStorm storm = new(pool, s_threads[random.Next(s_threads.Length)], context.Part(1.5)) { ClockTicks = true };
        Random ticks = new(random.Next());
        Disturbances disturbances = new(random, context);
        disturbances.Add("trims", () => pool.Trim());
        disturbances.Add("ticks", () =>
        {
            clock.MemoryIsScarce = ticks.Next(4) == 0;
            clock.Advance(TimeSpan.FromMilliseconds(ticks.Next(600)));
        });
        disturbances.Add("listeners", Disturbances.Listen);
        disturbances.Add("collections", static () => GC.Collect());
        disturbances.Always(() => Require.That(
            pool.Core.Budget.Granted <= cap, $"{pool.Core.Budget.Granted} bytes are granted under a cap of {cap}."));
        storm.Run(random.Next(), disturbances.ToArray());
        context.Count("operations", storm.Operations);
        context.Count("threads", storm.Lives);
    }

    private static void DropPools(AttackContext context)
    {
        DroppedPools pools = new(new ManualClock().Trim);
        for (int round = 0; round < 3; round++)
        {
            pools.Drop();
            GC.Collect();
            pools.UseNew();
            GC.WaitForPendingFinalizers();
            pools.UseNew();
        }

        Require.That(pools.Failures.Count == 0, $"{pools.Failures.Count} failures; the first: {pools.Failures.FirstOrDefault()}");
        context.Count("finalizers that use a dropped pool", pools.Finalized);
    }
}
