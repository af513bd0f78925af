using System.Globalization;
using Tarn.SharedMemory;
using Tarn.TestChild;
using Tarn.Torture.Children;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Two processes with sides of many rings are killed by SIGKILL, one or both, and followed by their successors. Each writer logs a
/// message's number before it writes and after; contents follow from the number. Nothing may be torn, come twice or in another order, be
/// lost that was logged as written, or come that was never begun. Where the system allows it, half of the processes have process ids of
/// their own, as in containers that share /dev/shm.
/// </summary>
internal sealed class RingAttack : IAttack
{
    private const int Rings = 16;
    private const int Sides = 2;
    private const int LeastKills = 4;

    private static readonly int[] s_capacities = [64, 256, 4096, 65_536];

    /// <inheritdoc/>
    public string Name => "ring";

    /// <inheritdoc/>
    public string Description => "SIGKILL of processes with sides of 16 rings; write-ahead numbers and hashed contents reveal losses";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        string prefix = string.Create(CultureInfo.InvariantCulture, $"torture-{Environment.ProcessId}-{context.Random.Next()}");
        List<IDisposable> made = [];
        try
        {
            for (int ring = 0; ring < Rings; ring++)
            {
                string name = RingSides.NameOf(prefix, ring);
                made.Add(SharedRing.Create(name, s_capacities[ring / Sides % s_capacities.Length]));
                made.Add(RingLog.Create(name));
            }

            SharedRing[] rings = [.. made.OfType<SharedRing>()];
            RingLog[] logs = [.. made.OfType<RingLog>()];
            long[] generations = Storm(context, prefix, logs);
            for (int ring = 0; ring < Rings; ring++)
            {
                VerifyEnd(context, rings[ring], logs[ring], generations[RingSides.WriterOf(ring)]);
            }
        }
        finally
        {
            made.ForEach(static one => one.Dispose());
        }
    }

    /// <summary>Kills until time is up; returns the last generation of each side.</summary>
    private static long[] Storm(AttackContext context, string prefix, RingLog[] logs)
    {
        long[] generations = new long[Sides];
        LongLivedChild[] working = [.. Enumerable.Range(0, Sides).Select(side => Start(context, prefix, side))];
        LongLivedChild[] next = [.. Enumerable.Range(0, Sides).Select(side => Start(context, prefix, side))];
        try
        {
            for (int side = 0; side < Sides; side++)
            {
                Begin(working[side], generations[side]);
            }

            for (int kills = 0; !context.IsOver || kills < LeastKills;)
            {
                WaitForWork(context.Random, logs, working);
                int who = context.Random.Next(Sides + 1);
                int[] victims = [.. Enumerable.Range(0, Sides).Where(side => who == side || who == Sides)];
                Array.ForEach(victims, side => working[side].Kill());
                foreach (int side in victims)
                {
                    working[side].Dispose();
                    working[side] = next[side];
                    Begin(working[side], ++generations[side]);
                    next[side] = Start(context, prefix, side);
                }

                kills += victims.Length;
                context.Count("kills", victims.Length);
                context.Count("ring sides killed", victims.Length * Rings);
            }
        }
        finally
        {
            Array.ForEach([.. working, .. next], static child => child.Dispose());
        }

        return generations;
    }

    /// <summary>Killed processes would leave the sockets of their diagnostics behind.</summary>
    private static LongLivedChild Start(AttackContext context, string prefix, int side)
    {
        bool isContained = context.Random.Next(2) == 0 && IdNamespace.IsOffered;
        context.Count(isContained ? "processes with ids of their own" : "processes with ids of the system");
        return new LongLivedChild(ChildProgram.Start(
            "Tarn.TestChild.dll", ["ring sides", prefix, $"{Rings}", $"{side}"], isContained ? IdNamespace.Limits : null,
            ("DOTNET_EnableDiagnostics", "0")));
    }

    private static void Begin(LongLivedChild child, long generation)
    {
        child.WaitUntilReady();
        child.Tell(generation.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>
    /// Mostly until messages pass, and a little longer; now and then not at all: so a process is killed as it begins, too.
    /// </summary>
    private static void WaitForWork(Random random, RingLog[] logs, LongLivedChild[] working)
    {
        if (random.Next(6) > 0)
        {
            ulong[] before = [.. logs.Select(static log => log.Passed)];
            Require.Eventually(
                () =>
                {
                    Array.ForEach(working, static child => child.VerifyWorks());
                    return logs.Index().Count(log => log.Item.Passed != before[log.Index]) > Rings / 2;
                },
                "messages pass through half of the rings");
        }

        Thread.Sleep(TimeSpan.FromMicroseconds(random.Next(20_000)));
        Array.ForEach(working, static child => child.VerifyWorks());
    }

    private static void VerifyEnd(AttackContext context, SharedRing ring, RingLog log, long generation)
    {
        ring.Validate();
        RingTally tally = new(log, ring.MaxMessageLength);
        byte[] bytes = new byte[ring.MaxMessageLength];
        while (ring.TryRead(bytes, out int length))
        {
            tally.Take(bytes.AsSpan(0, length));
        }

        tally.VerifyEnd(generation);
        for (long written = 0; written <= generation; written++)
        {
            context.Count("messages", log.Written(written));
        }
    }
}
