using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Sanitizing.Checking.Reporting;

namespace Tarn.Sanitizing.Checking;

/// <summary>What the checked pools of a process share. All members are safe to call from any thread.</summary>
internal sealed class Checker
{
    private readonly ConditionalWeakTable<object, object> _pools = [];
    private readonly ReportFile _file;
    private readonly IncidentLog _log;
    private long _rents;
    private long _returns;
    private long _asked;
    private int _created;
    private int _isHalting;

    internal Checker(CheckerOptions options, ReportFile file)
    {
        Options = options;
        _file = file;
        _log = new IncidentLog(file);
        Stacks = new StackRecorder(options.Stacks);
        Quarantine = new ByteQuarantine(options.QuarantineBytes);
    }

    internal CheckerOptions Options { get; }

    internal StackRecorder Stacks { get; }

    internal ByteQuarantine Quarantine { get; }

    internal Suspects Suspects { get; } = new();

    /// <summary>
    /// The pool that serves instead of one of the framework; null if that is to serve itself. This is what the framework's pools ask.
    /// </summary>
    internal object? Find(object pool, Type element)
    {
        if (Inside.IsTrue)
        {
            return null;
        }

        return _pools.TryGetValue(pool, out object? found) ? found : Create(pool, element);
    }

    /// <summary>Whether to watch the next rent.</summary>
    internal bool PicksNext() => Options.Sample == 1 || Interlocked.Increment(ref _asked) % Options.Sample == 0;

    internal void CountRent() => Interlocked.Increment(ref _rents);

    internal void CountReturn() => Interlocked.Increment(ref _returns);

    /// <summary>Writes the place once, if the report is to list the places.</summary>
    internal void ListSite(SiteRole role, RecordedStack stack)
    {
        if (Options.ListsSites && stack.List(role))
        {
            _file.Write(new JsonLine("site").Add("role", role.ToString()).Add("hash", PlaceName.Hash(stack.Site)).Add("name", stack.Site));
        }
    }

    internal void Report(Incident incident)
    {
        Inside.Enter();
        try
        {
            _log.Add(incident);
            if (Options.Halts && incident.Kind != IncidentKind.Held)
            {
                Halt();
            }
        }
        finally
        {
            Inside.Leave();
        }
    }

    /// <summary>Verifies all buffers in quarantine, and reports what is lost for sure by now.</summary>
    internal void Verify() => Look(isEnd: false);

    /// <summary>Reports what only the end of the process shows, and that it was seen.</summary>
    /// <param name="collects">Whether to tell what the program lost in its last moments from what it still refers to.</param>
    internal void End(bool collects)
    {
        // What is found from here on ends nothing: the process ends already.
        Volatile.Write(ref _isHalting, 1);
        Look(isEnd: true);
        Inside.Enter();
        try
        {
            long held = 0;
            foreach ((Rental rental, bool isAlive) in Rentals.GetOpen(this, collects && Options.FindsLost))
            {
                held += isAlive ? 1 : 0;
                if (Options.FindsLost)
                {
                    _log.Add(new Incident(isAlive ? IncidentKind.Held : IncidentKind.Lost, rental));
                }
            }

            _log.WriteCounts();
            _file.Write(
                new JsonLine("end").Add("rents", Volatile.Read(ref _rents)).Add("returns", Volatile.Read(ref _returns))
                    .Add("held", held).Add("captured", Stacks.Captured).Add("compared", Stacks.Compared)
                    .Add("different", Stacks.Different));
        }
        finally
        {
            Inside.Leave();
        }
    }

    private void Look(bool isEnd)
    {
        Inside.Enter();
        try
        {
            Quarantine.Verify();
            foreach (Rental lost in Suspects.TakeLost(isEnd))
            {
                Report(new Incident(IncidentKind.Lost, lost));
            }
        }
        finally
        {
            Inside.Leave();
        }
    }

    /// <summary>The name of a pool in the report.</summary>
    internal string NameOf(object pool, Type element) => PoolShape.Of(pool).IsShared
        ? $"ArrayPool<{element.Name}>.Shared"
        : $"ArrayPool<{element.Name}>.Create() {Interlocked.Increment(ref _created)}";

    private object Create(object pool, Type element)
    {
        Inside.Enter();
        try
        {
            return _pools.GetValue(
                pool, original => Activator.CreateInstance(
                    typeof(CheckedArrayPool<>).MakeGenericType(element),
                    System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.Public, null, [this, original], null)!);
        }
        finally
        {
            Inside.Leave();
        }
    }

    /// <summary>Ends the process from another thread, as this one may hold what an exit waits for.</summary>
    private void Halt()
    {
        if (Interlocked.Exchange(ref _isHalting, 1) == 0)
        {
            new Thread(() => Environment.Exit(Options.ExitCode)) { IsBackground = true, Name = "tarn: halt" }.Start();

            // The program is not to go on after its fault.
            Thread.Sleep(Timeout.Infinite);
        }
    }
}
