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
        IReadOnlyList<long> bounds = [];
        using (MeterListener listener = new())
        {
            listener.InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter.Name == BufferDiagnostics.MeterName
                    && instrument.Name.StartsWith("tarn.streams.", StringComparison.Ordinal))
                {
                    self.EnableMeasurementEvents(instrument);
                    bounds = instrument is Histogram<long> { Advice.HistogramBucketBoundaries: { } all } ? all : bounds;
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

        // Lengths are bytes: collectors' own bounds suit milliseconds.
        Assert.Equal([0, 64, 256, 1_024], bounds.Take(4));
        Assert.Equal(1L << 30, bounds[^1]);
    }

    [Fact]
    public void Events_8_and_9_report_a_stream_created_and_disposed()
    {
        Use(1);
        using StreamEvents events = new();
        int id = Use(4321);
        events.Stop();
        Use(1);
        Assert.Equal([(8, "StreamCreated", $"{id} "), (9, "StreamDisposed", $"{id} 4321")], events.Heard);
    }

    [Fact]
    public void A_tag_reaches_the_event_and_every_instrument()
    {
        PooledMemoryStreamOptions options = new() { Tag = "upload" };
        ConcurrentQueue<(string, long, string?)> heard = [];
        using (StreamEvents events = new())
        using (StreamMeter meter = new(heard))
        {
            int id = Use(7, options);
            Use(8);
            events.Stop();
            Assert.Equal((8, "StreamCreated", $"{id} upload"), events.Heard.First());
        }

        Assert.Equal(
            [
                ("tarn.streams.created", 1, "upload"), ("tarn.streams.disposed", 1, "upload"), ("tarn.streams.length", 7, "upload"),
                ("tarn.streams.created", 1, null), ("tarn.streams.disposed", 1, null), ("tarn.streams.length", 8, null),
            ],
            heard);
    }

    [Fact]
    public void A_tag_stays_with_its_stream()
    {
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Tag = "reply" }, capacity: 100);
        stream.WriteByte(1);
        stream.Detach().Dispose();
        Assert.Equal("reply", stream.Tag);
        stream.Dispose();
        Assert.Equal("reply", stream.Tag);
        Assert.Null(new PooledMemoryStream().Tag);
    }

    /// <summary>A collector keeps a series for each value of a tag for ever.</summary>
    [Fact]
    public void Too_many_tags_are_reported_as_other()
    {
        StreamTags tags = new();
        string[] named = [.. Enumerable.Range(0, StreamTags.Most).Select(static i => $"tag {i}")];
        Assert.Equal(named, named.Select(tags.NameOf));
        Assert.Equal(StreamTags.Other, tags.NameOf("one more"));
        Parallel.For(0, 1000, i => Assert.Equal(StreamTags.Other, tags.NameOf($"more {i}")));
        Assert.Equal(named, named.Select(tags.NameOf));
    }

    [Fact]
    public void While_someone_listens_to_everything_streams_work_as_ever()
    {
        using TracingListener listener = new();
        Use(100_000);
        Assert.True(listener.Events >= 2);
    }

    /// <summary>A second Dispose raises no event.</summary>
    private static int Use(int length, PooledMemoryStreamOptions? options = null)
    {
        PooledMemoryStream stream = options is null ? new PooledMemoryStream() : new PooledMemoryStream(options);
        stream.Write(Contents.Of(length));
        stream.Dispose();
        stream.Dispose();
        return RuntimeHelpers.GetHashCode(stream);
    }

    /// <summary>Notes what the instruments for streams measure, with its tag.</summary>
    private sealed class StreamMeter : IDisposable
    {
        private readonly MeterListener _listener = new();

        internal StreamMeter(ConcurrentQueue<(string Name, long Value, string? Tag)> heard)
        {
            _listener.InstrumentPublished = static (instrument, self) =>
            {
                if (instrument.Meter.Name == BufferDiagnostics.MeterName
                    && instrument.Name.StartsWith("tarn.streams.", StringComparison.Ordinal))
                {
                    self.EnableMeasurementEvents(instrument);
                }
            };
            _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => heard.Enqueue(
                (instrument.Name, value, tags.Length == 0 ? null : $"{Assert.Single(tags.ToArray(), One).Value}")));
            _listener.Start();

            static bool One(KeyValuePair<string, object?> tag) => tag.Key == "tarn.stream.tag";
        }

        public void Dispose() => _listener.Dispose();
    }

    private sealed class StreamEvents : EventListener
    {
        private readonly ConcurrentQueue<(int, string, string)> _heard = new();

        internal StreamEvents() => EnableEvents(TarnEventSource.Log!, EventLevel.Verbose);

        internal IEnumerable<(int, string, string)> Heard => _heard;

        internal void Stop() => DisableEvents(TarnEventSource.Log!);

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventId is 8 or 9)
            {
                _heard.Enqueue((eventData.EventId, eventData.EventName!, string.Join(' ', eventData.Payload!)));
            }
        }
    }
}
