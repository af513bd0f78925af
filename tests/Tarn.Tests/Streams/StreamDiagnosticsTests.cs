using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>The events about streams. Listeners get the events of all streams of the process, so no other test runs beside these.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class StreamDiagnosticsTests
{
    [Fact]
    public void The_meter_counts_streams_and_their_lengths_while_someone_listens()
    {
        Use(10);
        ConcurrentDictionary<string, List<long>> heard = [];
        using (MeterListener listener = new())
        {
            listener.InstrumentPublished = static (instrument, self) =>
            {
                if (instrument.Meter.Name == BufferDiagnostics.MeterName
                    && instrument.Name.StartsWith("tarn.streams.", StringComparison.Ordinal))
                {
                    self.EnableMeasurementEvents(instrument);
                }
            };
            listener.SetMeasurementEventCallback<long>(
                (instrument, value, _, _) => heard.GetOrAdd(instrument.Name, static _ => []).Add(value));
            listener.Start();
            Use(0);
            Use(5);
            Use(70_000);
        }

        Use(11);
        Assert.Equal(["tarn.streams.created", "tarn.streams.disposed", "tarn.streams.length"], heard.Keys.Order());
        Assert.Equal([1, 1, 1], heard["tarn.streams.created"]);
        Assert.Equal([1, 1, 1], heard["tarn.streams.disposed"]);
        Assert.Equal([0, 5, 70_000], heard["tarn.streams.length"]);
    }

    [Fact]
    public void Events_8_and_9_report_a_stream_created_and_disposed()
    {
        Use(1);
        using StreamEvents events = new();
        int id = Use(4321);
        events.Stop();
        Use(1);
        Assert.Equal([(8, "StreamCreated", $"{id}"), (9, "StreamDisposed", $"{id} 4321")], events.Heard);
    }

    [Fact]
    public void While_someone_listens_to_everything_streams_work_as_ever()
    {
        using TracingListener listener = new();
        Use(100_000);
        Assert.True(listener.Events >= 2);
    }

    /// <summary>A second Dispose raises no event.</summary>
    private static int Use(int length)
    {
        PooledMemoryStream stream = new();
        stream.Write(Contents.Of(length));
        stream.Dispose();
        stream.Dispose();
        return RuntimeHelpers.GetHashCode(stream);
    }

    private sealed class StreamEvents : EventListener
    {
        private readonly ConcurrentQueue<(int, string, string)> _heard = new();

        internal StreamEvents() => EnableEvents(TarnEventSource.Log, EventLevel.Verbose);

        internal IEnumerable<(int, string, string)> Heard => _heard;

        internal void Stop() => DisableEvents(TarnEventSource.Log);

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventId is 8 or 9)
            {
                _heard.Enqueue((eventData.EventId, eventData.EventName!, string.Join(' ', eventData.Payload!)));
            }
        }
    }
}
