using System.Diagnostics;
using Microsoft.Win32.SafeHandles;
using Tarn.Tool.Memory.Figures;
using Tarn.Tool.Memory.Mappings;
using Tarn.Tool.Processes;
using Tarn.Traces;

namespace Tarn.Tool.Memory;

/// <summary>
/// Takes snapshots of a process: first its mappings, which questions to its runtime would change, then the runtime's figures.
/// </summary>
internal sealed class MemoryProbe : IDisposable
{
    private static readonly TimeSpan s_longestAnswer = TimeSpan.FromSeconds(5);

    private readonly int _process;
    private readonly ProcFiles _files;
    private readonly ProcessFacts _facts;
    private readonly bool _collects;
    private RuntimeSession? _session;
    private string? _whyNoRuntime;

    /// <param name="process">The process.</param>
    /// <param name="collects">Whether it collects all its garbage before the snapshot.</param>
    public MemoryProbe(int process, bool collects)
    {
        (_process, _collects) = (process, collects);
        _files = new ProcFiles(process);
        _facts = ProcessFacts.Ask(process);
        _whyNoRuntime = ProcessFinder.Explain(process);
    }

    /// <summary>Whether the process has ended.</summary>
    public bool HasEnded
    {
        get
        {
            try
            {
                using var process = Process.GetProcessById(_process);
                return process.HasExited;
            }
            catch (ArgumentException)
            {
                return true;
            }
        }
    }

    /// <summary>Takes a snapshot.</summary>
    /// <exception cref="RecordingException">The process has ended, or its mappings admit only another user.</exception>
    public MemorySnapshot Take(CancellationToken end)
    {
        if (_collects)
        {
            Listen(end);
        }

        return ProcFiles.AreThere ? TakeMappings(end) : TakeTotals(end);
    }

    public void Dispose() => _session?.Dispose();

    private MemorySnapshot TakeMappings(CancellationToken end)
    {
        DateTimeOffset at = DateTimeOffset.Now;
        IReadOnlyList<Mapping> mappings = _files.ReadMappings();
        IReadOnlyDictionary<string, long> status = _files.ReadStatus();
        using SafeFileHandle? memory = _files.TryOpenMemory();
        MallocHeaps heaps = new(mappings, memory);
        Listen(end);

        RuntimeFigures? runtime = _session?.Runtime;
        IReadOnlyList<TarnFigures> tarn = _session?.Tarn ?? [];
        MemorySnapshot snapshot = Describe(at, runtime, tarn) with
        {
            ResidentBytes = mappings.Sum(one => one.Resident),
            PeakBytes = Math.Max(status.GetValueOrDefault("VmHWM"), mappings.Sum(one => one.Resident)),
            SwappedBytes = mappings.Sum(one => one.Swapped),
            PageTableBytes = status.GetValueOrDefault("VmPTE"),
            ReservedHugePageBytes = status.GetValueOrDefault("HugetlbPages"),
            HugePageBytes = mappings.Sum(one => one.HugePages),
            Threads = (int)status.GetValueOrDefault("Threads"),
            Limit = new ControlGroups("/").Find(_process),
            Groups = new MemoryTally(mappings, heaps, runtime, tarn).ToGroups(),
            Unknown = [.. WhatIsUnknown(runtime, heaps, memory is not null), .. WhoIsUnknown(mappings, heaps, tarn)],
        };
        return snapshot with { Advice = new MemoryRules(snapshot, Facts(mappings, heaps)).All() };
    }

    private ProcessTraits Facts(IReadOnlyList<Mapping> mappings, MallocHeaps heaps) => new(
        _files.Variables,
        heaps,
        LoadedAllocator.Of(mappings),
        _files.CountThreads(".NET Server GC"),
        [.. ForeignLibraries.Of(mappings)]);

    /// <summary>What every system tells: the totals, and what the runtime says.</summary>
    private MemorySnapshot TakeTotals(CancellationToken end)
    {
        using var process = Process.GetProcessById(_process);
        DateTimeOffset at = DateTimeOffset.Now;
        Listen(end);
        RuntimeFigures? runtime = _session?.Runtime;
        long resident = process.WorkingSet64;
        long collected = Math.Min(resident, runtime?.CommittedBytes ?? 0);
        MemorySnapshot snapshot = Describe(at, runtime, _session?.Tarn ?? []) with
        {
            ResidentBytes = resident,
            PeakBytes = Math.Max(resident, process.PeakWorkingSet64),
            Threads = process.Threads.Count,
            Groups =
            [
                .. ((MemoryGroup[])
                [
                    new(MemoryGroupKind.GcHeap, collected, 0, [new MemoryItem("what the collector has of the system", collected)]),
                    new(MemoryGroupKind.Unnamed, resident - collected, 0, [new MemoryItem("everything else", resident - collected)]),
                ]).Where(group => group.ResidentBytes > 0),
            ],
            Unknown =
            [
                "Only Linux tells of each mapping what it is for. On this system, "
                + $"{(Path.DirectorySeparatorChar == '\\' ? "VMMap" : "vmmap")} shows the mappings, and everything that is not the "
                + "collector's counts as one here.",
                .. WhyNoRuntime(),
            ],
        };
        return snapshot with { Advice = new MemoryRules(snapshot, ProcessTraits.None).All() };
    }

    private MemorySnapshot Describe(DateTimeOffset at, RuntimeFigures? runtime, IReadOnlyList<TarnFigures> tarn) => new()
    {
        Format = MemorySnapshot.CurrentFormat,
        At = at,
        Process = _process,
        Name = _facts != ProcessFacts.Unknown && _facts.Program.Length > 0 ? _facts.Program : _files.Program,
        Runtime = _facts == ProcessFacts.Unknown ? "" : _facts.Runtime,
        ResidentBytes = 0,
        PeakBytes = 0,
        SwappedBytes = 0,
        PageTableBytes = 0,
        ReservedHugePageBytes = 0,
        HugePageBytes = 0,
        Threads = 0,
        Limit = null,
        Groups = [],
        Collector = runtime,
        Tarn = tarn,
        Unknown = [],
        Advice = [],
        Growth = null,
    };

    private void Listen(CancellationToken end)
    {
        if (_session is not null || _whyNoRuntime is not null)
        {
            return;
        }

        try
        {
            _session = RuntimeSession.Start(_process, _collects);
            if (!_session.Wait(s_longestAnswer, end) && _session.Runtime is null)
            {
                _whyNoRuntime = "It sent no counters: does it turn event sources off (EventSourceSupport)?";
            }
        }
        catch (RecordingException exception)
        {
            _whyNoRuntime = exception.Message;
        }
    }

    private IEnumerable<string> WhyNoRuntime()
    {
        if (_whyNoRuntime is { } reason)
        {
            yield return $"What the runtime says is missing: the sizes of generations, holes, Tarn's pools. {reason}";
        }
    }

    private static IEnumerable<string> WhoIsUnknown(
        IReadOnlyList<Mapping> mappings, MallocHeaps heaps, IReadOnlyList<TarnFigures> tarn)
    {
        if (heaps.Kinds.All.Contains(MappingKind.Allocator) && !heaps.Kinds.All.Contains(MappingKind.Tarn)
            && tarn.Any(one => one.Kind != MemoryTally.ArrayPool && one.InUseBytes + one.RetainedBytes > 0))
        {
            string allocator = LoadedAllocator.Of(mappings)!;
            yield return $"This kernel has no names for mappings, and Tarn maps memory as {allocator} does: Tarn's native heaps are in "
                + $"what {allocator} has.";
        }
    }

    private IEnumerable<string> WhatIsUnknown(RuntimeFigures? runtime, MallocHeaps heaps, bool hasMemory)
    {
        foreach (string reason in WhyNoRuntime())
        {
            yield return reason;
        }

        if (runtime is { Generations.Count: 0 })
        {
            yield return "The process has collected no garbage yet, so its generations have no sizes. --collect has it collect.";
        }
        else if (runtime is not null && runtime.Generations.All(one => one.HoleBytes is null))
        {
            yield return "The runtime tells the holes of each generation from .NET 9 on.";
        }

        bool hasHeaps = heaps.Arenas.Count > 0 || heaps.Main is not null;
        if (hasHeaps && !hasMemory)
        {
            yield return $"What is free in the heaps of malloc is not known: /proc/{_process}/mem cannot be read. Run tarn as root.";
        }
    }
}
