using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public class MeterTests
{
    [Fact]
    public void The_meter_has_these_instruments_and_units()
    {
        _ = BufferPool<byte>.Create();
        Dictionary<string, string> units = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name == BufferDiagnostics.MeterName)
            {
                units[instrument.Name] = $"{instrument.GetType().Name.Split('`')[0]} {instrument.Unit}";
                Assert.False(string.IsNullOrEmpty(instrument.Description));
            }
        };
        listener.Start();

        Assert.Equal(
            new Dictionary<string, string>
            {
                ["tarn.buffers.in_use"] = "ObservableUpDownCounter By",
                ["tarn.buffers.retained"] = "ObservableUpDownCounter By",
                ["tarn.buffers.rented"] = "ObservableCounter {buffer}",
                ["tarn.buffers.returned"] = "ObservableCounter {buffer}",
                ["tarn.buffers.allocated"] = "ObservableCounter {buffer}",
                ["tarn.budgets.in_use"] = "ObservableUpDownCounter By",
                ["tarn.budgets.waiting"] = "ObservableUpDownCounter {request}",
                ["tarn.budgets.refused"] = "ObservableCounter {request}",
                ["tarn.budgets.limit"] = "ObservableUpDownCounter By",
                ["tarn.budgets.deadlocks"] = "ObservableCounter {request}",
                ["tarn.budgets.longest_wait"] = "ObservableGauge s",
                ["tarn.budgets.oldest_wait"] = "ObservableGauge s",
                ["tarn.streams.created"] = "Counter {stream}",
                ["tarn.streams.disposed"] = "Counter {stream}",
                ["tarn.streams.length"] = "Histogram By",
            },
            units);
        Assert.Equal("Tarn", BufferDiagnostics.MeterName);
    }

    [Fact]
    public void A_scrape_takes_one_snapshot_and_the_next_a_new_one()
    {
        CountedSource source = new();
        BufferSources.Add(source);
        _ = BufferPool<byte>.Create();
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Name == BufferDiagnostics.MeterName)
            {
                self.EnableMeasurementEvents(instrument);
            }
        };
        listener.Start();
        for (int scrape = 1; scrape <= 3; scrape++)
        {
            listener.RecordObservableInstruments();
            Assert.Equal(scrape, source.Snapshots);
        }

        GC.KeepAlive(source);
    }

    [Fact]
    public void Each_pool_is_measured_under_its_name()
    {
        string name = $"measured {Guid.NewGuid()}";
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Name = name });
        int[] inUse = pool.Rent(100);
        pool.Return(pool.Rent(1000));
        pool.Return(pool.Rent(1000));

        Assert.Equal(
            new Dictionary<string, long>
            {
                ["tarn.buffers.in_use"] = inUse.Length * sizeof(int),
                ["tarn.buffers.retained"] = 1024 * sizeof(int),
                ["tarn.buffers.rented"] = 3,
                ["tarn.buffers.returned"] = 2,
                ["tarn.buffers.allocated"] = 2,
            },
            Measure(name).ToDictionary(one => one.Instrument, one => one.Value));
        Assert.All(Measure(name), one => Assert.Equal("array pool", one.Kind));
    }

    [Fact]
    public void Pools_of_one_name_are_one_measurement_because_a_listener_keeps_only_one_value_for_a_set_of_tags()
    {
        string name = $"twins {Guid.NewGuid()}";
        BufferPool<int> one = BufferPool<int>.Create(new BufferPoolOptions { Name = name });
        BufferPool<byte> other = BufferPool<byte>.Create(new BufferPoolOptions { Name = name });
        one.Return(one.Rent(10));
        other.Return(other.Rent(10));
        other.Return(other.Rent(10));

        Assert.Equal(3, Assert.Single(Measure(name), measured => measured.Instrument == "tarn.buffers.rented").Value);
        GC.KeepAlive(one);
    }

    [Fact]
    public void A_pool_that_is_gone_is_measured_and_listed_no_more()
    {
        string name = $"gone {Guid.NewGuid()}";
        WeakReference<object> pool = UseAndForget(name);
        Eventually.TrueAfterCollections(() => !pool.TryGetTarget(out _), "the pool is collected: nothing holds it");

        Assert.Empty(Measure(name));
        Assert.DoesNotContain(BufferDiagnostics.GetSources(), snapshot => snapshot.Name == name);
    }

    [Fact]
    public void A_checked_pool_is_collected_like_any_other()
    {
        string name = $"gone {Guid.NewGuid()}";
        WeakReference<object> pool = UseAndForget(name, BufferChecks.All);

        Eventually.TrueAfterCollections(() => !pool.TryGetTarget(out _), "the pool is collected: nothing holds it");
    }

    [Fact]
    public void The_snapshot_lists_pools_the_oldest_first_with_their_counters()
    {
        string name = $"listed {Guid.NewGuid()}";
        BufferPool<int> first = BufferPool<int>.Create(new BufferPoolOptions { Name = name + " 1" });
        BufferPool<char> second = BufferPool<char>.Create(new BufferPoolOptions { Name = name + " 2", Checks = BufferChecks.All });
        first.Return(first.Rent(100));
        char[] inUse = second.Rent(100);

        Assert.Equal(
            [
                new BufferSourceSnapshot
                {
                    Name = name + " 1", Kind = "array pool", RetainedBytes = 448, Rented = 1, Returned = 1, Allocated = 1,
                    Id = first.GetHashCode(),
                },
                new BufferSourceSnapshot
                {
                    Name = name + " 2", Kind = "array pool", InUseBytes = inUse.Length * sizeof(char), Rented = 1, Allocated = 1,
                    Id = second.GetHashCode(),
                },
            ],
            BufferDiagnostics.GetSources().Where(snapshot => snapshot.Name.StartsWith(name, StringComparison.Ordinal)));
    }

    [Fact]
    public void Pools_without_a_name_are_named_after_their_elements()
    {
        BufferPool<Half> unnamed = BufferPool<Half>.Create();
        _ = BufferPool<Half>.Shared;

        IEnumerable<string> names = BufferDiagnostics.GetSources().Select(snapshot => snapshot.Name);
        Assert.Contains("BufferPool<Half>", names);
        Assert.Contains("Shared<Half>", names);
        GC.KeepAlive(unnamed);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference<object> UseAndForget(string name, BufferChecks checks = BufferChecks.None)
    {
        BufferPool<int> pool = BufferPool<int>.Create(new BufferPoolOptions { Name = name, Checks = checks });
        pool.Return(pool.Rent(100));
        Assert.Contains(BufferDiagnostics.GetSources(), snapshot => snapshot.Name == name);
        Assert.NotEmpty(Measure(name));
        return new WeakReference<object>(pool);
    }

    private static List<(string Instrument, string? Kind, long Value)> Measure(string name)
    {
        List<(string, string?, long)> found = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == BufferDiagnostics.MeterName
                && instrument.Name.StartsWith("tarn.buffers.", StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            Dictionary<string, object?> tagged = new(tags.ToArray());
            if (tagged["tarn.source.name"] as string == name)
            {
                found.Add((instrument.Name, tagged["tarn.source.kind"] as string, value));
            }
        });
        listener.Start();
        listener.RecordObservableInstruments();
        return found;
    }

    private sealed class CountedSource : IBufferSource
    {
        public int Snapshots { get; private set; }

        public BufferSourceSnapshot GetSnapshot()
        {
            Snapshots++;
            return new BufferSourceSnapshot { Name = "counted", Kind = "test" };
        }

        public void OnSamplingChanged(bool isSampled)
        {
        }

        public void OnTracingChanged(bool everyBuffer)
        {
        }
    }
}
