using Tarn.Torture.Doubles;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Storms while the operating system refuses memory at random: an operation succeeds, or there is no memory for it and nothing has changed.
/// Every reservation is released in the end, and the contract with the system is kept throughout.
/// </summary>
internal sealed class FaultAttack : IAttack
{
    private static readonly int[] s_oneIn = [2, 5, 20, 200];
    private static readonly long[] s_caps = [0, 1 << 20, 1 << 28];
    private static readonly BufferChecks[] s_checks =
        [BufferChecks.None, BufferChecks.None, BufferChecks.All, BufferChecks.All | BufferChecks.GuardPages];

    /// <inheritdoc/>
    public string Name => "faults";

    /// <inheritdoc/>
    public string Description => "the system refuses reservations, commits, seals and moves at random, under heaps and streams";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            HeapRefused(context);
            NativeStreamRefused(context);
            ArrayStreamRefused(context);
        }
        while (!context.IsOver);
    }

    private static RandomRefusals CreateRefusals(Random random) => new(random.Next(), s_oneIn[random.Next(s_oneIn.Length)]);

    private static void HeapRefused(AttackContext context)
    {
        Random random = context.Random;
        FailingMemory system = new() { DecommittedMemoryFaults = random.Next(2) == 0 };
        ManualClock clock = new();
        using (NativeHeap heap = new(new NativeHeapOptions
        {
            Name = "torture",
            MaxRetainedBytes = s_caps[random.Next(s_caps.Length)],
            IdleTimeout = TimeSpan.FromSeconds(1),
            Checks = s_checks[random.Next(s_checks.Length)],
            Clock = clock.Trim,
            Memory = system,
        }))
        {
            RandomRefusals refusals = CreateRefusals(random);
            HeapStorm storm = new(heap, 1 + random.Next(8), context.Part(0.8))
            {
                ClockTicks = true,
                MayBeRefused = true,
                BeforeEnd = system.RefuseNothing,
            };
            Disturbances disturbances = new(random, context);
            disturbances.Add("trims", () => heap.Trim());
            disturbances.Add("ticks", () => clock.Advance(TimeSpan.FromMilliseconds(300)));
            system.Refuse(refusals.Next);
            storm.Run(random.Next(), disturbances.ToArray());
            Count(context, storm.Operations, storm.Refusals, refusals.Refused);
        }

        system.AssertNothingLeaks();
    }

    private static void NativeStreamRefused(AttackContext context)
    {
        FailingMemory system = new() { DecommittedMemoryFaults = true };
        RandomRefusals refusals = CreateRefusals(context.Random);
        StreamMemory.Use(context.Random, system, options =>
        {
            StreamStorm storm = new(options, 1 + context.Random.Next(4), context.Part(0.4))
            {
                ClockTicks = true,
                MayBeRefused = true,
                BeforeEnd = system.RefuseNothing,
            };
            system.Refuse(refusals.Next);
            storm.Run(context.Random.Next());
            Count(context, storm.Operations, storm.Refusals, refusals.Refused);
        });
        system.AssertNothingLeaks();
    }

    private static void ArrayStreamRefused(AttackContext context)
    {
        RandomRefusals refusals = CreateRefusals(context.Random);
        PooledMemoryStreamOptions options = new()
        {
            Pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "torture", Checks = BufferChecks.Returns }),
            Clearing = (StreamClearing)context.Random.Next(Enum.GetValues<StreamClearing>().Length),
            BeforeRent = _ => refusals.ThrowNowAndThen(),
        };
        StreamStorm storm = new(options, 1 + context.Random.Next(4), context.Part(0.4)) { ClockTicks = true, MayBeRefused = true };
        storm.Run(context.Random.Next());
        Count(context, storm.Operations, storm.Refusals, refusals.Refused);
    }

    private static void Count(AttackContext context, long operations, long refusedOperations, long refusals)
    {
        context.Count("operations", operations);
        context.Count("refusals", refusals);
        context.Count("operations that threw for want of memory", refusedOperations);
    }
}
