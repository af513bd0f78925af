using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// Regions and rings disposed and finalized in every order, more than once, beside every other call, and by threads that are interrupted:
/// a call works or throws <see cref="ObjectDisposedException"/>, and all that was taken is given up.
/// </summary>
public sealed class RegionDisposalTests : RingTest
{
    private static readonly List<string> s_seen = [];

    /// <summary>An owner that resurrects itself is finalized once more when the memory is gone.</summary>
    [Fact]
    public void What_an_owner_finds_in_its_second_finalizer_is_disposed()
    {
        SharedRing kept = Create(64);
        lock (s_seen)
        {
            s_seen.Clear();
        }

        MakeOwner(Name);
        Eventually.TrueAfterCollections(() => Seen.Length >= 2 * Owner.Calls, "the owner is finalized twice");

        // First anything may come, as finalizers run in any order.
        Assert.All(Seen[Owner.Calls..], static seen => Assert.Equal(nameof(ObjectDisposedException), seen));
        Assert.Equal(0, kept.WriterProcessId);
        kept.AttachWriter();
    }

    [Fact]
    public async Task Every_member_beside_a_Dispose_works_or_is_refused()
    {
        for (int round = 0; round < StressLength.Times(20, 60); round++)
        {
            SharedRing ring = SharedRing.Create(Name, 256);
            SharedRegion region = SharedRegion.Create(Name + "-region", 5000);
            using CancellationTokenSource end = new(TimeSpan.FromMinutes(1));
            byte[] message = new byte[ring.MaxMessageLength];
            Action[] calls =
            [
                () => ring.Write(message.AsSpan(0, 100), end.Token), () => ring.Read(new byte[128], end.Token),
                () => _ = ring.WriterProcessId + ring.ReaderProcessId + ring.WritePosition + ring.ReadPosition,
                () => region.GetMemory(0, 5000).Pin().Dispose(), () => _ = SharedRegion.List().Count,
            ];
            Task[] callers = [.. calls.Select(static call => OnThread(() => Repeat(call)))];
            Thread.SpinWait(Random.Shared.Next(100_000));
            Action[] disposals = [ring.Dispose, region.Dispose, ring.Dispose, region.Dispose];
            Task[] disposing = [.. disposals.Select(OnThread)];
            await Eventually.AllEnd(disposing, "all is disposed");
            s_isOver = true;
            await Eventually.AllEnd(callers, "all callers are told");
            s_isOver = false;
        }
    }

    /// <summary>Without the note that the interrupt came, the ring would stay half closed, its roles and its memory taken.</summary>
    [Fact]
    public async Task A_Dispose_that_is_interrupted_disposes_all_and_passes_the_interrupt_on()
    {
        for (int round = 0; round < 50; round++)
        {
            SharedRing ring = SharedRing.Open(Keep(Create(64, $"-{round}")).Name);
            Task waiting = OnThread(() => Assert.Throws<ObjectDisposedException>(() => ring.Read([])));
            SpinWait.SpinUntil(() => ring.ReaderProcessId != 0);
            Task disposing = OnThread(() =>
            {
                Thread.CurrentThread.Interrupt();
                ring.Dispose();
                Assert.Throws<ThreadInterruptedException>(() => Thread.Sleep(1000));
            });
            await Eventually.AllEnd([waiting, disposing], "the ring is disposed");
            using SharedRing next = SharedRing.Open($"{Name}-{round}");
            next.AttachReader();
        }
    }

    [Fact]
    public void A_wait_that_is_interrupted_goes_on_and_passes_the_interrupt_on()
    {
        Exception? thrown = null;
        Thread thread = new(() =>
        {
            Thread.CurrentThread.Interrupt();
            thrown = Record.Exception(static () =>
            {
                UninterruptedWait wait = new();
                for (int i = 0; i < 100; i++)
                {
                    wait.Once();
                }

                wait.Dispose();
            }) ?? Record.Exception(static () => Assert.Throws<ThreadInterruptedException>(() => Thread.Sleep(1000)));
        });
        thread.Start();
        thread.Join();
        Assert.Null(thrown);
    }

    private static bool s_isOver;

    private static string[] Seen
    {
        get
        {
            lock (s_seen)
            {
                return [.. s_seen];
            }
        }
    }

    private static void Repeat(Action call)
    {
        try
        {
            while (!Volatile.Read(ref s_isOver))
            {
                call();
            }
        }
        catch (ObjectDisposedException)
        {
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MakeOwner(string name)
    {
        SharedRegion region = SharedRegion.Create(name + "-owned", 5000);
        SharedRing ring = SharedRing.Open(name);
        ring.AttachWriter();
        GC.KeepAlive(new Owner(region, ring));
    }

    private sealed class Owner(SharedRegion region, SharedRing ring)
    {
        private readonly Memory<byte> _memory = region.GetMemory(0, 10);
        private int _times;

        ~Owner()
        {
            Action[] calls =
            [
                () => region.GetSpan(0, 1)[0] = 1, () => _memory.Span[0] = 1, () => ring.TryWrite([1]), () => _ = ring.WritePosition,
                () => _ = ring.WriterProcessId,
            ];
            lock (s_seen)
            {
                s_seen.AddRange(calls.Select(static call => Record.Exception(call)?.GetType().Name ?? "done"));
            }

            if (_times++ == 0)
            {
                GC.ReRegisterForFinalize(this);
                return;
            }

            ring.Dispose();
            region.Dispose();
            region.Dispose();
        }

        /// <summary>How many calls a finalizer makes.</summary>
        internal static int Calls => 5;
    }
}
