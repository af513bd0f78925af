using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Torture.Children;
using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Listeners and tracing sessions come and go while storms run: sessions that are stopped, those whose stream is closed, and those of a
/// process that is killed. When all are gone, nobody listens any more, and the next listener hears every rent.
/// </summary>
internal sealed class EventAttack : IAttack
{
    private static readonly TimeSpan s_untilTold = TimeSpan.FromSeconds(5);

    private static readonly EventLevel[] s_levels = [EventLevel.Verbose, EventLevel.Informational, EventLevel.Warning];

    /// <inheritdoc/>
    public string Name => "events";

    /// <inheritdoc/>
    public string Description => "listeners and EventPipe sessions attached and torn away while storms run";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        // Only for sessions: the runtime may be configured without a diagnostics port.
        bool hasPort = Environment.GetEnvironmentVariable("DOTNET_EnableDiagnostics") != "0";
        if (!hasPort)
        {
            context.Skip("tracing sessions: DOTNET_EnableDiagnostics is 0");
        }

        do
        {
            StormTraced(context, hasPort);
            VerifyNobodyListens(context, hasPort);
            VerifyListenerHears(context);
        }
        while (!context.IsOver);
    }

    private static void StormTraced(AttackContext context, bool hasPort)
    {
        Random random = context.Random;
        TimeSpan duration = context.Part(2);
        BufferPool<long> pool = BufferPool<long>.Create(new BufferPoolOptions { Name = "torture", Checks = BufferChecks.None });
        using NativeHeap heap = new(new NativeHeapOptions { Name = "torture", Checks = BufferChecks.None });
        PoolStorm poolStorm = new(pool, 4, duration) { ClockTicks = true };
        HeapStorm heapStorm = new(heap, 4, duration) { ClockTicks = true };
        (int poolSeed, int heapSeed) = (random.Next(), random.Next());
        Task heapTask = Task.Factory.StartNew(() => heapStorm.Run(heapSeed), TaskCreationOptions.LongRunning);
        Random sessions = new(random.Next());
        Action[] disturbances = hasPort ? [() => Listen(context), () => Attach(context, sessions)] : [() => Listen(context)];
        try
        {
            poolStorm.Run(poolSeed, disturbances);
        }
        finally
        {
            heapTask.Wait();
        }

        context.Count("operations", poolStorm.Operations + heapStorm.Operations);
    }

    private static void Listen(AttackContext context)
    {
        using TracingListener listener = new();
        Thread.Sleep(3);
        context.Count("listeners");
        context.Count("events heard by listeners", listener.Events);
    }

    private static void Attach(AttackContext context, Random random)
    {
        if (random.Next(4) == 0)
        {
            AttachAndKill(context, random);
            return;
        }

        bool tears = random.Next(2) == 0;
        long read = Trace(s_levels[random.Next(s_levels.Length)], random.Next(100), tears);
        context.Count(tears ? "sessions torn away" : "sessions stopped");
        context.Count("bytes of sessions", read);
    }

    /// <summary>A session of this process, which is stopped, or whose stream is closed while it is read; returns what was read.</summary>
    private static long Trace(EventLevel level, int milliseconds, bool tears)
    {
        EventPipeSession session = TracingSession.Attach(Environment.ProcessId, level);
        byte[] bytes = new byte[64 << 10];
        long read = 0;
        using Task reader = Task.Run(() =>
        {
            try
            {
                for (int count; (count = session.EventStream.Read(bytes)) > 0; read += count)
                {
                }
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException)
            {
                // Torn away while it reads.
            }
        });
        Thread.Sleep(milliseconds);
        if (tears)
        {
            session.EventStream.Dispose();
        }
        else
        {
            session.Stop();
        }

        // Disposing a session would stop it first: one that is torn away must not be.
        reader.Wait();
        if (!tears)
        {
            session.Dispose();
        }

        return read;
    }

    private static void AttachAndKill(AttackContext context, Random random)
    {
        using LongLivedChild child = new(ChildProgram.Start(
            "Tarn.Torture.dll", ["session", $"{Environment.ProcessId}"], limits: null, ("DOTNET_EnableDiagnostics", "0")));
        child.WaitUntilReady();
        Thread.Sleep(random.Next(100));
        child.VerifyWorks();
        child.Kill();
        context.Count("sessions of killed processes");
    }

    /// <summary>
    /// The runtime notices that a session is gone when it writes to it. Occasionally it does not notify an event source of a session torn
    /// away before its first event. The end of the next session makes up for it.
    /// </summary>
    private static void VerifyNobodyListens(AttackContext context, bool hasPort)
    {
        BufferPool<long> pool = BufferPool<long>.Create();
        if (hasPort && !SpinWait.SpinUntil(NobodyListens, s_untilTold))
        {
            context.Count("sessions torn away whose end the runtime did not report");
            Trace(EventLevel.Verbose, milliseconds: 10, tears: false);
        }

        Require.Eventually(NobodyListens, "nobody receives every rent, when all listeners and sessions are gone");

        bool NobodyListens()
        {
            pool.Return(pool.Rent(100));
            return !TarnEventSource.IsTracing;
        }
    }

    private static void VerifyListenerHears(AttackContext context)
    {
        const int Rents = 100;
        BufferPool<long> pool = BufferPool<long>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        using TracingListener listener = new();
        long before = listener.Events;
        for (int i = 0; i < Rents; i++)
        {
            pool.Return(pool.Rent(100));
        }

        Require.That(listener.Events - before >= 2 * Rents, $"Of {Rents} rents and returns a listener heard {listener.Events - before}.");
        context.Count("events heard by listeners", listener.Events);
    }
}
