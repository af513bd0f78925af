using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

/// <summary>A flush looks at every checked pool and heap of the process, those of other tests as well.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class FlushTests
{
    [Fact]
    public void A_late_write_to_an_array_is_reported_at_once_and_once()
    {
        using CheckedPool<int> tested = new(BufferChecks.UseAfterReturn);
        int[] written = tested.Pool.Rent(100);
        tested.Pool.Return(written);
        written[7] = 5;

        AssertFlushes();

        BufferIncident incident = Assert.Single(tested.Incidents.All);
        Assert.Equal((BufferIncidentKind.UseAfterReturn, 448L), (incident.Kind, incident.SizeInBytes));
        Assert.StartsWith("element 7 of 112 was written after the return.", incident.Detail, StringComparison.Ordinal);
        AssertFlushes();
        tested.Pool.Trim();
        AssertFlushes();
        Assert.Single(tested.Incidents.All);
    }

    [Fact]
    public void A_late_write_and_an_overrun_of_a_native_block_are_reported_at_once_and_leaks_are_not()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = $"flushed {Guid.NewGuid()}", Checks = BufferChecks.All });
        using IncidentLog log = new(heap.Name);
        byte* late = (byte*)heap.Allocate(50);
        heap.Free(late);
        late[3] = 1;
        byte* overrun = (byte*)heap.Allocate(60);
        overrun[60] = 1;

        AssertFlushes();

        Assert.Equal(
            [BufferIncidentKind.UseAfterReturn, BufferIncidentKind.Overrun],
            log.All.Select(static incident => incident.Kind).Order());
        heap.Free(overrun);
    }

    [Fact]
    public void A_lost_array_is_reported_after_its_collection()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Leaks);
        Drop(tested.Pool);
        Eventually.Collect();

        AssertFlushes();

        Assert.Equal(BufferIncidentKind.Leak, Assert.Single(tested.Incidents.All).Kind);
    }

    [Fact]
    public void A_handler_may_flush()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Returns);
        bool? returned = null;
        void FlushInside(object? sender, BufferIncident incident) => returned = BufferDiagnostics.Flush();
        BufferDiagnostics.IncidentFound += FlushInside;
        try
        {
            Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(new byte[3]));
            AssertFlushes();
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= FlushInside;
        }

        Assert.True(returned);
    }

    [Fact]
    public void A_handler_that_waits_for_the_caller_is_reported()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Returns);
        using ManualResetEventSlim flushed = new();
        void WaitForCaller(object? sender, BufferIncident incident) => flushed.Wait();
        BufferDiagnostics.IncidentFound += WaitForCaller;
        try
        {
            Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(new byte[3]));
            Assert.False(BufferDiagnostics.Flush());
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= WaitForCaller;
            flushed.Set();
        }

        AssertFlushes();
    }

    [Fact]
    public void An_incident_that_another_thread_is_about_to_report_is_waited_for()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = $"flushed {Guid.NewGuid()}", Checks = BufferChecks.None });
        using IncidentLog log = new(heap.Name);
        using HoldingListener listener = new(heap.Name);
        Thread other = new(() =>
        {
            FreeTwice(heap);
            heap.Trim();
        });
        other.Start();
        Assert.True(listener.Reached.Wait(TimeSpan.FromSeconds(30)));

        Assert.False(BufferDiagnostics.Flush());
        listener.Released.Set();
        AssertFlushes();

        Assert.Single(log.All);
        other.Join();
    }

    /// <summary>A flush gives handlers two seconds, in which one that has begun need not get a processor.</summary>
    private static void AssertFlushes() => Eventually.True(BufferDiagnostics.Flush, "every handler has run");

    private static void FreeTwice(NativeHeap heap)
    {
        void* block = heap.Allocate(64);
        heap.Free(block, 64);
        heap.Free(block, 64);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(BufferPool<byte> pool) => pool.Rent(100)[0] = 1;

    /// <summary>Holds the thread that reports the incident of one heap, before the report reaches handlers.</summary>
    private sealed class HoldingListener(string heap) : EventListener
    {
        internal ManualResetEventSlim Reached { get; } = new();

        internal ManualResetEventSlim Released { get; } = new();

        public override void Dispose()
        {
            base.Dispose();
            Reached.Dispose();
            Released.Dispose();
        }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == BufferDiagnostics.EventSourceName)
            {
                EnableEvents(eventSource, EventLevel.Warning);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.Payload?.Contains(heap) == true)
            {
                Reached.Set();
                Released.Wait();
            }
        }
    }
}
