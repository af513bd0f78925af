using Tarn.TestChild;
using Tarn.TestChild.Owners;
using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>Storms over pooled streams in arrays and in native memory, and streams that several threads dispose at once.</summary>
internal sealed class StreamAttack : IAttack
{
    private const int DisposedAtOnce = 200;
    private const int RacedMembers = 8;

    private static readonly TimeSpan s_race = TimeSpan.FromMilliseconds(50);

    private static readonly int[] s_threads = [2, 4, 16];

    /// <inheritdoc/>
    public string Name => "stream";

    /// <inheritdoc/>
    public string Description => "stamped storms over pooled streams in arrays and native memory; streams disposed by several at once; "
        + "members of streams and of other owners that race with Dispose";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            StreamMemory.Use(context.Random, system: null, options => Storm(context, options));
        }
        while (!context.IsOver);
    }

    private static void Storm(AttackContext context, PooledMemoryStreamOptions options)
    {
        Random random = context.Random;
        StreamStorm storm = new(options, s_threads[random.Next(s_threads.Length)], context.Part(1)) { ClockTicks = true };
        Disturbances disturbances = new(random, context);
        disturbances.Add("trims", () => _ = options.Heap?.Trim() ?? options.Pool?.Trim());
        disturbances.Add("listeners", Disturbances.Listen);
        disturbances.Add("collections", static () => GC.Collect());
        storm.Run(random.Next(), disturbances.ToArray());
        DisposeAtOnce(context, options);
        RaceWithDispose(context);
        context.Count("operations", storm.Operations);
        context.Count("threads", storm.Lives);
    }

    /// <summary>Some members of streams and of other owners race with Dispose. An access violation ends the process: a finding.</summary>
    private static void RaceWithDispose(AttackContext context)
    {
        string name = RacedMemory.Names[context.Random.Next(RacedMemory.Names.Length)];
        RacedMember[] members = [.. StreamRaces.MembersFor(name)];
        for (int i = 0; i < RacedMembers; i++)
        {
            using RacedMemory memory = RacedMemory.Create(name);
            DisposalRace race = new(memory, members[context.Random.Next(members.Length)], reuses: context.Random.Next(2) == 0);
            string? violation = race.Run(s_race);
            Require.That(violation is null, violation ?? "");
            context.Count("calls raced with Dispose", race.Races);
        }

        for (int i = 0; i < RacedMembers; i++)
        {
            RacedOwner owner = RacedOwner.All[context.Random.Next(RacedOwner.All.Length)];

            // Without checks, which report that the race disposes an owner twice.
            using OwnerMemory memory = new(isChecked: false, keepsMemory: context.Random.Next(2) == 0);
            OwnerRace race = new(owner, owner.Members[context.Random.Next(owner.Members.Length)], memory);
            string? violation = race.Run(s_race);
            Require.That(violation is null, violation ?? "");
            context.Count("calls raced with Dispose", race.Races);
        }
    }

    /// <summary>Of two threads that dispose a stream, one gives the memory back.</summary>
    private static void DisposeAtOnce(AttackContext context, PooledMemoryStreamOptions options)
    {
        PooledMemoryStream[] streams = [.. Enumerable.Range(0, DisposedAtOnce).Select(_ => new PooledMemoryStream(options))];
        Array.ForEach(streams, stream => stream.Write(new byte[context.Random.Next(1, 20_000)]));
        Parallel.For(0, 2, new ParallelOptions { MaxDegreeOfParallelism = 2 }, _ => Array.ForEach(streams, static one => one.Dispose()));
        Require.Eventually(static () => BackgroundClearing.WaitingBytes == 0, "the background clears all");
        long inUse = (options.Heap?.GetStatistics().InUseBytes ?? 0) + (options.Pool?.GetStatistics().InUseBytes ?? 0);
        Require.Equal(0, inUse, "Bytes in use when every stream was disposed twice at once");
        context.Count("streams disposed twice at once", DisposedAtOnce);
    }
}
