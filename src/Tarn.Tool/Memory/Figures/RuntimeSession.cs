using System.Diagnostics;
using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Tarn.Tool.Asking;

namespace Tarn.Tool.Memory.Figures;

/// <summary>A session in which a runtime tells its counters each second, and Tarn's pools and heaps theirs.</summary>
internal sealed class RuntimeSession : IDisposable
{
    private const double Megabyte = 1e6;
    private const int BufferMegabytes = 16;
    private const string RuntimeSource = "Microsoft-Windows-DotNETRuntime";

    /// <summary>The keywords of the collector's events, and of a collection that the session asks for.</summary>
    private const long Collect = 0x80_0001;

    private const string HeapSize = "dotnet.gc.last_collection.heap.size";
    private const string Holes = "dotnet.gc.last_collection.heap.fragmentation.size";
    private const string Collected = "dotnet.gc.collections";
    private const string InUse = "tarn.buffers.in_use";
    private const string Retained = "tarn.buffers.retained";
    private const string SourceKind = "tarn.source.kind=";
    private const string SourceName = ",tarn.source.name=";

    private static readonly (string Name, string Counter)[] s_generations =
        [("gen0", "gen-0-size"), ("gen1", "gen-1-size"), ("gen2", "gen-2-size"), ("loh", "loh-size"), ("poh", "poh-size")];

    private static readonly string[] s_needed = ["gc-committed", "methods-jitted-count", "assembly-count", "poh-size"];

    private readonly Lock _lock = new();
    private readonly Dictionary<string, double> _counters = [];
    private readonly Dictionary<(string Name, string Tags), double> _meters = [];
    private readonly MeterStart _start = new();
    private readonly ProcessSession _session;

    private RuntimeSession(int process, EventPipeProvider[] providers) =>
        _session = ProcessSession.Start(process, providers, BufferMegabytes, Take);

    /// <summary>Whether the process ended, or the session otherwise.</summary>
    public bool HasEnded => _session.HasEnded;

    /// <summary>What the runtime told last; null before it told anything.</summary>
    public RuntimeFigures? Runtime
    {
        get
        {
            lock (_lock)
            {
                return _counters.Count == 0 ? null : Read();
            }
        }
    }

    /// <summary>What Tarn's pools and heaps told last, the largest first; empty in a process without any.</summary>
    public IReadOnlyList<TarnFigures> Tarn
    {
        get
        {
            lock (_lock)
            {
                return
                [
                    .. _meters.Where(one => one.Key.Name == InUse).Select(one => ReadSource(one.Key.Tags, (long)one.Value))
                        .OrderByDescending(one => one.InUseBytes + one.RetainedBytes).ThenBy(one => one.Name, StringComparer.Ordinal),
                ];
            }
        }
    }

    /// <summary>Begins to listen.</summary>
    /// <param name="process">The process.</param>
    /// <param name="collects">Whether the process collects all its garbage first.</param>
    /// <exception cref="Traces.RecordingException">The process cannot be attached to.</exception>
    public static RuntimeSession Start(int process, bool collects)
    {
        EventPipeProvider[] providers = MeterStart.Providers("System.Runtime,Tarn");
        return new RuntimeSession(
            process, collects ? [.. providers, new(RuntimeSource, EventLevel.Informational, Collect)] : providers);
    }

    /// <summary>Waits until the runtime has told everything once. Returns whether it has.</summary>
    public bool Wait(TimeSpan longest, CancellationToken end)
    {
        var watch = Stopwatch.StartNew();
        while (watch.Elapsed < longest && !HasEnded && !end.IsCancellationRequested)
        {
            if (HasAll())
            {
                return true;
            }

            _ = end.WaitHandle.WaitOne(TimeSpan.FromMilliseconds(20));
        }

        return false;
    }

    public void Dispose()
    {
        _start.Wait(() => _session.HasEnded);
        _session.Dispose();
    }

    /// <summary>Counters come one by one, and the meters on a clock of their own.</summary>
    private bool HasAll()
    {
        lock (_lock)
        {
            return _start.HasCollected && s_needed.All(_counters.ContainsKey);
        }
    }

    private void Take(TraceEvent one)
    {
        _start.Take(one);
        lock (_lock)
        {
            if (MeterStart.ReadCounter(one) is (var counter, var mean))
            {
                _counters[counter] = mean;
            }
            else if (MeterStart.ReadMeter(one) is (var name, var tags, var value))
            {
                _meters[(name, tags)] = value;
            }
        }
    }

    private RuntimeFigures Read()
    {
        long Count(string counter) => (long)_counters.GetValueOrDefault(counter);
        GenerationFigures[] generations =
        [
            .. s_generations.Select(one => new GenerationFigures(
                one.Name, (long)(Meter(HeapSize, one.Name) ?? _counters.GetValueOrDefault(one.Counter)), (long?)Meter(Holes, one.Name))),
        ];
        double[] collections = [.. _meters.Where(one => one.Key.Name == Collected).Select(one => one.Value)];
        return new RuntimeFigures(
            [.. generations.Where(one => one.Bytes > 0)], (long)(_counters.GetValueOrDefault("gc-committed") * Megabyte),
            collections.Length == 0 ? null : (long)collections.Sum(), Count("methods-jitted-count"), Count("assembly-count"));
    }

    private double? Meter(string name, string generation) => _meters
        .Where(one => one.Key.Name == name && one.Key.Tags.EndsWith($"={generation}", StringComparison.Ordinal))
        .Select(one => (double?)one.Value).FirstOrDefault();

    private TarnFigures ReadSource(string tags, long inUse)
    {
        // In the order of their names; a pool may have any name, a kind has no comma.
        int name = tags.IndexOf(SourceName, StringComparison.Ordinal);
        bool isKnown = name >= 0 && tags.StartsWith(SourceKind, StringComparison.Ordinal);
        return new TarnFigures(
            isKnown ? tags[(name + SourceName.Length)..] : tags, isKnown ? tags[SourceKind.Length..name] : "", inUse,
            (long)_meters.GetValueOrDefault((Retained, tags)));
    }
}
