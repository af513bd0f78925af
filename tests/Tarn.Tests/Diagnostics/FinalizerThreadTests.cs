using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

/// <summary>
/// No finalizer of the library runs code of others: listeners to events and handlers of incidents hear of what finalizers found on other
/// threads. A listener that never returns, or throws, stops no finalizer.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class FinalizerThreadTests
{
    private const int Kept = 20;

    /// <summary>What is dropped, and the events that tell of its end.</summary>
    public static TheoryData<string, string> Dropped => new()
    {
        { nameof(DropPool), "BufferTrimmed" },
        { nameof(DropRentedArrays), "Incident" },
        { nameof(DropSampledArrays), "SampledBufferEnded" },
    };

    [Theory]
    [MemberData(nameof(Dropped))]
    public void Listeners_and_handlers_hear_of_an_end_on_another_thread(string drop, string told)
    {
        using ThreadsOfListeners listener = new(told);
        BufferDiagnostics.IncidentFound += listener.NoteIncident;
        try
        {
            Drop(drop);
            Eventually.TrueAfterCollections(() => listener.Heard > 0, $"a listener hears of {told}");
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= listener.NoteIncident;
        }

        Assert.DoesNotContain(FinalizerThread(), listener.Threads);
    }

    [Theory]
    [MemberData(nameof(Dropped))]
    public void A_listener_that_never_returns_stops_no_finalizer(string drop, string told)
    {
        using ManualResetEventSlim release = new();
        using ThreadsOfListeners listener = new(told) { Then = release.Wait };
        try
        {
            Drop(drop);
            Eventually.True(
                () =>
                {
                    GC.Collect();
                    return listener.Heard > 0;
                },
                $"a listener hears of {told}");
            int before = Probe.Finalized;
            Eventually.True(
                () =>
                {
                    Probe.Drop();
                    GC.Collect();
                    return Probe.Finalized > before + 1;
                },
                "finalizers run while the listener waits");
        }
        finally
        {
            release.Set();
        }

        Assert.True(BufferDiagnostics.Flush());
    }

    [Theory]
    [MemberData(nameof(Dropped))]
    public void A_listener_that_throws_stops_no_finalizer(string drop, string told)
    {
        using ThreadsOfListeners listener = new(told) { Then = static () => throw new InvalidOperationException("planted") };
        Drop(drop);
        Eventually.TrueAfterCollections(() => listener.Heard > 0, $"a listener hears of {told}");
        Probe.Drop();
        int before = Probe.Finalized;
        Eventually.TrueAfterCollections(() => Probe.Finalized > before, "finalizers still run");
    }

    /// <summary>The buffers that a collected pool kept are reported as any others that were given up.</summary>
    [Fact]
    public void Every_buffer_of_a_collected_pool_is_reported_once()
    {
        using EventRecorder recorder = new(EventLevel.Informational);
        int pool = DropPool();
        Eventually.TrueAfterCollections(() => recorder.Count("BufferTrimmed", pool) >= Kept, "the buffers are reported");
        Eventually.Collect();
        Assert.True(BufferDiagnostics.Flush());
        Assert.Equal(Kept, recorder.Count("BufferTrimmed", pool));
    }

    private static void Drop(string what)
    {
        switch (what)
        {
            case nameof(DropPool):
                DropPool();
                break;
            case nameof(DropRentedArrays):
                DropRentedArrays();
                break;
            default:
                DropSampledArrays();
                break;
        }
    }

    /// <summary>Returns the pool's id in events.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int DropPool()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        byte[][] rented = [.. Enumerable.Range(0, Kept).Select(_ => pool.Rent(100))];
        Array.ForEach(rented, array => pool.Return(array));
        return pool.Core.EventId;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropRentedArrays()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(
            new BufferPoolOptions { Name = nameof(DropRentedArrays), Checks = BufferChecks.Leaks });
        pool.Rent(100);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropSampledArrays()
    {
        BufferSampling.Start(new SamplingOptions(1, 1));
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        for (int i = 0; i < Kept; i++)
        {
            pool.Rent(100);
        }

        BufferDiagnostics.SampleInterval = 0;
    }

    private static Thread FinalizerThread()
    {
        Probe.Drop();
        Eventually.TrueAfterCollections(static () => Probe.Thread is not null, "the finalizer thread shows itself");
        return Probe.Thread!;
    }

    /// <summary>Notes the threads on which one event, or an incident, is heard.</summary>
    private sealed class ThreadsOfListeners : EventListener
    {
        private readonly ConcurrentQueue<Thread> _threads = new();
        private readonly string _event;

        internal ThreadsOfListeners(string heard)
        {
            _event = heard;
            EnableEvents(TarnEventSource.Log!, EventLevel.Informational, EventKeywords.All);
        }

        /// <summary>What the listener does when it heard the event.</summary>
        internal Action Then { get; init; } = static () => { };

        internal int Heard => _threads.Count;

        internal IEnumerable<Thread> Threads => _threads;

        internal void NoteIncident(object? sender, BufferIncident incident) => _threads.Enqueue(Thread.CurrentThread);

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName == _event)
            {
                _threads.Enqueue(Thread.CurrentThread);
                Then();
            }
        }
    }

    private sealed class Probe
    {
        private static int s_finalized;

        ~Probe()
        {
            Thread = System.Threading.Thread.CurrentThread;
            Interlocked.Increment(ref s_finalized);
        }

        internal static int Finalized => Volatile.Read(ref s_finalized);

        internal static Thread? Thread { get; private set; }

        [MethodImpl(MethodImplOptions.NoInlining)]
        internal static void Drop() => _ = new Probe();
    }
}
