using System.Numerics;
using Microsoft.Diagnostics.Tracing;
using Tarn.Tool.Asking;
using Tarn.Traces;

namespace Tarn.Tool.Watching;

/// <summary>Counts the events of a process as they arrive. Thread-safe.</summary>
internal sealed class PoolActivity
{
    private const double Megabyte = 1e6;

    private readonly Lock _lock = new();
    private readonly PoolEventReader _reader = new();
    private readonly Dictionary<int, (string Name, PoolCounts Counts)> _pools = [];
    private readonly Dictionary<int, (string Name, PoolCounts Counts)> _before = [];
    private readonly Dictionary<int, long> _sizes = [];
    private readonly SortedDictionary<string, double> _meter = new(StringComparer.Ordinal);
    private long _heapBytes;
    private bool _countsRents;
    private bool _hadRents;

    /// <summary>Says whether the events that follow include rents and returns. Sizes begin anew: they count other buffers.</summary>
    public void Count(bool rents)
    {
        lock (_lock)
        {
            _countsRents = rents;
            _hadRents = false;
            _sizes.Clear();
        }
    }

    /// <summary>Whether no event has come. A process reports its heap each second, unless it turned event sources off.</summary>
    public bool IsSilent { get; private set; } = true;

    public void Take(TraceEvent one)
    {
        lock (_lock)
        {
            IsSilent &= !PoolEventReader.IsOfPool(one) && one.EventName != MeterStart.Counters
                && one.ProviderName != MeterStart.Source;
            if (PoolEventReader.IsOfPool(one))
            {
                TakePool(one);
            }
            else if (MeterStart.ReadCounter(one) is ("gc-heap-size", var megabytes))
            {
                _heapBytes = (long)(megabytes * Megabyte);
            }
            else if (MeterStart.ReadMeter(one) is (var name, var tags, var value))
            {
                _meter[$"{name} {tags}".Trim()] = value;
            }
        }
    }

    /// <summary>What happened since the last call.</summary>
    public WatchSample Sample(DateTimeOffset at, double seconds)
    {
        lock (_lock)
        {
            (string Name, PoolCounts Counts)[] pools =
            [
                .. _pools.Select(pool => (pool.Value.Name, pool.Value.Counts - _before.GetValueOrDefault(pool.Key).Counts))
                    .OrderByDescending(pool => pool.Item2.Rented).ThenByDescending(pool => pool.Item2.Allocated)
                    .ThenBy(pool => pool.Name, StringComparer.Ordinal),
            ];
            bool hasRents = _countsRents && _hadRents;
            _hadRents = _countsRents;
            foreach ((int id, (string Name, PoolCounts Counts) pool) in _pools)
            {
                _before[id] = pool;
            }

            return new WatchSample
            {
                At = at,
                Seconds = seconds,
                HasRents = hasRents,
                Pools = pools,
                Total = pools.Aggregate(default(PoolCounts), (sum, pool) => sum + pool.Counts),
                Sizes = [.. _sizes.OrderBy(size => size.Key).Select(size => (size.Key, size.Value))],
                HeapBytes = _heapBytes,
                Meter = [.. _meter.Select(one => (one.Key, one.Value))],
            };
        }
    }

    private void TakePool(TraceEvent one)
    {
        if (_reader.Read(one) is not { } action)
        {
            return;
        }

        PoolCounts counts = action.Kind switch
        {
            PoolEventKind.Rented => new(1, 0, 0, 0, 0, 0, 0),
            PoolEventKind.Returned => new(0, 1, 0, 0, 0, 0, 0),
            PoolEventKind.Allocated => new(0, 0, 1, action.Length, 0, 0, 0),
            PoolEventKind.Dropped => new(0, 0, 0, 0, 1, action.Length, 0),
            _ => new(0, 0, 0, 0, 0, 0, 1),
        };
        string name = one.ProviderName switch
        {
            StreamEvents.Source => "RecyclableMemoryStream",
            PoolEventReader.TarnSource => $"Tarn {action.Pool:x8}",
            _ => $"ArrayPool {action.Pool:x8}",
        };
        _pools[action.Pool] = (name, _pools.GetValueOrDefault(action.Pool).Counts + counts);
        if (action.Kind == (_countsRents ? PoolEventKind.Rented : PoolEventKind.Allocated))
        {
            int power = BitOperations.Log2((uint)Math.Max(1, action.Length));
            _sizes[power] = _sizes.GetValueOrDefault(power) + 1;
        }
    }
}
