using System.Runtime.CompilerServices;
using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Storms over native heaps of random options, under random disturbances; buffers that are forgotten; owners that dispose in finalizers.
/// </summary>
internal sealed class HeapAttack : IAttack
{
    private const int Forgotten = 200;

    private static readonly long[] s_caps = [0, 200_000, 8 << 20, 1 << 28];
    private static readonly int[] s_threads = [2, 4, 16, 64];
    private static readonly BufferChecks[] s_checks =
        [BufferChecks.None, BufferChecks.None, BufferChecks.Returns, BufferChecks.All, BufferChecks.All | BufferChecks.GuardPages];

    /// <inheritdoc/>
    public string Name => "heap";

    /// <inheritdoc/>
    public string Description =>
        "stamped storms over native heaps: threads die, trims, ticks, listeners, passing heaps; forgotten buffers and heaps";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            Storm(context);
            ForgetBuffers(context);
            DropHeaps(context);
        }
        while (!context.IsOver);
    }

    private static void Storm(AttackContext context)
    {
        Random random = context.Random;
        ManualClock clock = new();
        using NativeHeap heap = new(new NativeHeapOptions
        {
            Name = "torture",
            MaxRetainedBytes = s_caps[random.Next(s_caps.Length)],
            IdleTimeout = TimeSpan.FromSeconds(1),
            ClearOnFree = random.Next(4) == 0,
            AddMemoryPressure = random.Next(4) == 0,
            Checks = s_checks[random.Next(s_checks.Length)],
            Clock = clock.Trim,
        });
        HeapStorm storm = new(heap, s_threads[random.Next(s_threads.Length)], context.Part(1.5)) { ClockTicks = true };
        Random ticks = new(random.Next());
        Disturbances disturbances = new(random, context);
        disturbances.Add("trims", () => heap.Trim());
        disturbances.Add("ticks", () =>
        {
            clock.MemoryIsScarce = ticks.Next(4) == 0;
            clock.Advance(TimeSpan.FromMilliseconds(ticks.Next(600)));
        });
        disturbances.Add("listeners", Disturbances.Listen);
        disturbances.Add("passing heaps", () => PassingHeaps.ComeAndGo(heap, clock.Trim));
        disturbances.Always(() => HeapStorm.ReadCounters(heap));
        storm.Run(random.Next(), disturbances.ToArray());
        context.Count("operations", storm.Operations);
        context.Count("threads", storm.Lives);
    }

    /// <summary>Their finalizers free them while the heap is used, and may run when the heap itself is finalized.</summary>
    private static void ForgetBuffers(AttackContext context)
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = "forgotten", Checks = BufferChecks.None });
        Forget(heap, context.Random);
        ForgetHeap();
        Require.Eventually(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return heap.GetStatistics().InUseBlocks == 0;
            },
            "forgotten buffers are freed");
        Require.Settles(heap.Validate);
        context.Count("forgotten buffers", Forgotten);
    }

    /// <summary>Their owners dispose the heaps in finalizers, in every order with the heaps' own.</summary>
    private static void DropHeaps(AttackContext context)
    {
        ManualClock clock = new();
        DroppedHeaps dropped = new(clock.Trim);
        int owners = dropped.Drop(context);
        Require.Eventually(
            () =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                dropped.VerifyNew();
                return dropped.Finalized == owners;
            },
            "owners of heaps are finalized");
        Require.That(dropped.Failures.Count == 0, string.Join(' ', dropped.Failures));
        context.Count("heaps disposed in finalizers", owners);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(NativeHeap heap, Random random)
    {
        for (int i = 0; i < Forgotten; i++)
        {
            heap.AllocateBuffer<byte>(random.Next(100_000)).GetSpan().Fill((byte)i);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetHeap()
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        heap.AllocateBuffer<byte>(1000).GetSpan().Fill(1);
    }
}
