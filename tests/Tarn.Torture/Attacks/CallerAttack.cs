using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Callers that do what callers do: they interrupt threads inside the pool, return arrays of others, abandon theirs, and listen with a
/// listener that does not return while pools are finalized.
/// </summary>
internal sealed class CallerAttack : IAttack
{
    private static readonly long[] s_caps = [200_000, 8 << 20, 1 << 28];
    private static readonly int[] s_threads = [2, 8, 32];
    private static readonly BufferChecks[] s_checks = [BufferChecks.None, BufferChecks.None, BufferChecks.All];

    /// <inheritdoc/>
    public string Name => "callers";

    /// <inheritdoc/>
    public string Description => "interrupted threads, foreign and abandoned arrays, listeners that block while pools are finalized";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            Interrupt(context);
            ReturnStrangers(context);
            FinalizeWhileAListenerBlocks(context);
        }
        while (!context.IsOver);
    }

    private static void Interrupt(AttackContext context)
    {
        Random random = context.Random;
        ManualClock clock = new();
        BufferPool<long> pool = Create(random, clock, s_checks[random.Next(s_checks.Length)]);
        InterruptStorm storm = new(pool, s_threads[random.Next(s_threads.Length)], context.Part(1));
        storm.Run(random.Next(), () => clock.Advance(TimeSpan.FromMilliseconds(300)));
        context.Count("operations", storm.Operations);
        context.Count("interrupts that stayed pending", storm.Interrupts);
    }

    private static void ReturnStrangers(AttackContext context)
    {
        Random random = context.Random;
        ManualClock clock = new();
        BufferPool<long> pool = Create(random, clock, BufferChecks.None);
        StrangerStorm storm = new(pool, s_threads[random.Next(s_threads.Length)], context.Part(1)) { ClockTicks = true };
        storm.Run(
            random.Next(),
            () => pool.Trim(),
            () =>
            {
                clock.MemoryIsScarce = !clock.MemoryIsScarce;
                clock.Advance(TimeSpan.FromMilliseconds(300));
            });
        context.Count("operations", storm.Operations);
        context.Count("arrays of others returned", storm.Strangers);
        context.Count("arrays abandoned", storm.Abandoned);
    }

    /// <summary>Finalizers run on while a listener to their events waits, and every pool is finalized.</summary>
    private static void FinalizeWhileAListenerBlocks(AttackContext context)
    {
        using ManualResetEventSlim release = new();
        DroppedPools pools = new(new ManualClock().Trim);
        using (BlockingListener listener = new(release))
        {
            for (int round = 0; round < 3; round++)
            {
                pools.Drop();
                GC.Collect();
                pools.UseNew();
            }

            int before = pools.Finalized;
            Require.Eventually(
                () =>
                {
                    pools.DropOne();
                    GC.Collect();
                    return pools.Finalized > before + 5;
                },
                "finalizers run while a listener does not return");
            release.Set();
            GC.WaitForPendingFinalizers();
            Require.That(BufferDiagnostics.Flush(), "The reports of finalizers were not handled after their listener returned.");
            context.Count("events heard by a listener that waits", listener.Heard);
        }

        Require.That(pools.Failures.Count == 0, $"{pools.Failures.Count} failures; the first: {pools.Failures.FirstOrDefault()}");
        context.Count("finalizers that ran meanwhile", pools.Finalized);
    }

    private static BufferPool<long> Create(Random random, ManualClock clock, BufferChecks checks) =>
        BufferPool<long>.Create(new BufferPoolOptions
        {
            Name = "torture",
            MaxRetainedBytes = s_caps[random.Next(s_caps.Length)],
            IdleTimeout = TimeSpan.FromSeconds(1),
            ThreadCaches = random.Next(4) != 0,
            Checks = checks,
            Clock = clock.Trim,
        });

    /// <summary>Waits in each event of a trim until it is released, as a listener does that writes to a full pipe.</summary>
    private sealed class BlockingListener : EventListener
    {
        private readonly ManualResetEventSlim _release;
        private int _heard;

        internal BlockingListener(ManualResetEventSlim release)
        {
            _release = release;
            EnableEvents(TarnEventSource.Log!, EventLevel.Informational);
        }

        internal int Heard => Volatile.Read(ref _heard);

        [MethodImpl(MethodImplOptions.NoInlining)]
        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName == "BufferTrimmed")
            {
                Interlocked.Increment(ref _heard);
                _release.Wait();
            }
        }
    }
}
