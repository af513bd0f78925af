using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public unsafe class HeapEventTests
{
    [Fact]
    public void Every_allocation_and_free_is_reported_while_a_listener_wants_all()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        void* warm = heap.Allocate(100);
        heap.Free(warm, 100);
        int id = heap.GetHashCode();
        using EventRecorder recorder = new(EventLevel.Verbose);

        void* block = heap.Allocate(100);
        heap.Free(block, 100);
        heap.FreeAligned(heap.AllocateAligned(100, 16), 100, 16);
        void* large = heap.Allocate(1 << 20);
        heap.Free(large);

        Assert.Equal((3, 3), (recorder.Count("BufferRented", id), recorder.Count("BufferReturned", id)));
        object?[][] rented = [.. recorder.Payloads("BufferRented").Where(payload => payload[2] is int sender && sender == id)];
        Assert.Equal([112, 112, 1 << 20], rented.Select(payload => payload[1]));
        Assert.Equal(-1, rented[2][3]);
        Assert.Equal(((nint)block).GetHashCode(), rented[0][0]);
    }

    [Fact]
    public void Nothing_is_reported_and_calls_are_fast_again_when_no_listener_is_left()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        int id = heap.GetHashCode();
        using EventRecorder recorder = new(EventLevel.Verbose);
        heap.Free(heap.Allocate(100), 100);
        recorder.Stop();
        Eventually.True(() => !TarnEventSource.IsTracing, "the listener is gone");
        recorder.Forget();

        heap.Free(heap.Allocate(100), 100);

        Assert.Equal(0, recorder.Count("BufferRented", id));
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        heap.Validate();
    }

    [Fact]
    public void A_heap_is_measured_under_its_name()
    {
        string name = $"measured heap {Guid.NewGuid()}";
        using NativeHeap heap = new(new NativeHeapOptions { Name = name, Checks = BufferChecks.None });
        void* inUse = heap.Allocate(100);
        for (int i = 0; i < 10; i++)
        {
            heap.Free(heap.Allocate(1000), 1000);
        }

        Dictionary<string, long> values = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Name == BufferDiagnostics.MeterName)
            {
                self.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            foreach (KeyValuePair<string, object?> tag in tags)
            {
                if (tag.Value is string source && source == name)
                {
                    values[instrument.Name] = value;
                }
            }
        });
        listener.Start();
        listener.RecordObservableInstruments();

        Assert.Equal(112, values["tarn.buffers.in_use"]);
        Assert.Equal(11, values["tarn.buffers.rented"]);
        Assert.Equal(10, values["tarn.buffers.returned"]);
        Assert.True(values["tarn.buffers.retained"] >= 1024);
        BufferSourceSnapshot snapshot = BufferDiagnostics.GetSources().Single(source => source.Name == name);
        Assert.Equal(("native heap", 112L, 11L, 10L), (snapshot.Kind, snapshot.InUseBytes, snapshot.Rented, snapshot.Returned));
        heap.Free(inUse, 100);
    }

    [Theory]
    [InlineData(BufferChecks.None)]
    [InlineData(BufferChecks.Returns)]
    public void An_ended_heap_has_nothing_in_use_and_counts_all_blocks_as_returned(BufferChecks checks)
    {
        string name = $"ended {Guid.NewGuid()}";
        NativeHeap heap = new(new NativeHeapOptions { Name = name, Checks = checks });
        foreach (nuint size in (nuint[])[100, 1 << 20])
        {
            heap.Free(heap.Allocate(size), size);
            heap.Allocate(size);
            heap.Allocate(size);
        }

        heap.Dispose();

        BufferSourceSnapshot snapshot = BufferDiagnostics.GetSources().Single(source => source.Name == name);
        Assert.Equal((0, 0, 6, 6), (snapshot.InUseBytes, snapshot.RetainedBytes, snapshot.Rented, snapshot.Returned));
        GC.KeepAlive(heap);
    }
}
